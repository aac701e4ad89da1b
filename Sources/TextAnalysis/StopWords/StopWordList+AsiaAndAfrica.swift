extension StopWordList {
  static let arabic = """
    من إلى عن على في مع حتى منذ خلال بين تحت فوق أمام خلف بعد قبل عند لدى دون بدون حول ضد نحو و ف ب ل ك أو أم ثم بل لكن
    لكنّ أن إن أنّ إنّ كأن لأن إذا إذ إذن لو لولا كي لكي لن لم لما لا ما ليس ليست ليسوا هل قد سوف كان كانت كانوا يكون تكون كنت
    أنا نحن أنت أنتم أنتما هو هي هم هن هما هذا هذه هذان هؤلاء ذلك تلك أولئك هنا هناك الذي التي الذين اللذان اللاتي اللواتي
    كل بعض غير سوى أي أية كيف متى أين لماذا ماذا كم حيث حين عندما بينما كما كذلك هكذا أيضا فقط جدا له لها لهم لنا لك لي به
    بها بهم فيه فيها فيهم منه منها منهم عنه عنها عليه عليها عليهم إليه إليها إليهم معه معها نعم كلا إلا أما إما يا وقد وهو وهي
    ولا وما ومن وفي وعلى وأن وكان فإن ولم ولكن مما ممن عما فيما بما لقد نفس ذات
    """

  static let hindi = """
    का के की को से में पर ने और या एवं तथा भी ही तो कि जो जिस जिसे जिसका जिसके जिसकी जिन जिनका जिनके वह वे वो यह ये इस इसका इसके
    इसकी इसे इन इनका इनके इनकी उस उसका उसके उसकी उसे उन उनका उनके उनकी उन्हें उन्होंने इन्हें मैं मेरा मेरे मेरी मुझे मुझ हम हमारा हमारे
    हमारी हमें तू तुम तुम्हारा तुम्हारे तुम्हें आप आपका आपके आपकी अपना अपने अपनी है हैं था थे थी थीं हूँ हूं हो होता होते होती हुआ हुए हुई
    होना होने गया गए गई कर करता करते करती करना करने किया किये किए रहा रहे रही जा जाता जाते जाती दिया लिया लिए लिये साथ बाद पहले तक
    अब तब जब कब कहाँ वहाँ यहाँ क्या क्यों कैसे कौन किस किसी कोई कुछ सब सभी बहुत नहीं न मत ना अगर यदि लेकिन किन्तु परन्तु बल्कि इसलिए
    क्योंकि जैसे वैसे ऐसे ऐसा फिर सकता सकते सकती द्वारा वाला वाले वाली एक अपितु
    """

  static let nepali = """
    र वा तथा पनि नै त कि तर यदि भने किनभने अनि मा को का की ले लाई बाट देखि सम्म सँग संग सित लागि म मेरो मेरा मलाई हामी हाम्रो हाम्रा
    हामीलाई तँ तिमी तिम्रो तिमीलाई तपाईं तपाईंको ऊ उ उनी उनको उनले उनीहरू उनीहरूको उसको उसले उसलाई यो यस यसको यसले यी यिनी त्यो त्यस
    त्यसको त्यसले ती तिनी जो जुन जसको जसले जसलाई के कुन किन कहाँ कसरी कहिले कसले कति को हो हुन् हुन छ छन् छैन थियो थिए थिइन् हुने
    हुन्छ भएको भएका भयो भई गर्ने गर्न गरेको गरेका गर्छ गरी गर्दै गरे गर्नु एक अरू अन्य सबै केही कुनै धेरै अब अहिले त्यहाँ यहाँ जब तब
    अझै मात्र फेरि होइन न नभए जस्तो जस्तै यस्तो त्यस्तो साथै आफ्नो आफू पछि अघि
    """

  static let tamil = """
    ஒரு என்று மற்றும் இந்த இது என்ற கொண்டு என்பது பல ஆகும் அல்லது அவர் நான் உள்ள அந்த இவர் என முதல் என்ன இருந்து சில என் போன்ற வேண்டும் வந்து
    இதன் அது அவன் தான் பலரும் என்னும் மேலும் பின்னர் கொண்ட இருக்கும் தனது உள்ளது போது என்றும் அதன் தன் பிறகு அவர்கள் வரை அவள் நீ ஆகிய இருந்தது
    உள்ளன வந்த இருந்த மிகவும் இங்கு மீது ஓர் இவை இந்தக் பற்றி வரும் வேறு இரு இதில் போல் இப்போது அவரது மட்டும் இந்தப் எனும் மேல் பின் சேர்ந்த
    ஆகியோர் எனக்கு இன்னும் அந்தப் அன்று ஒரே மிக அங்கு பல்வேறு விட்டு பெரும் அதை பற்றிய உன் அதிக அந்தக் பேர் இதனால் அவை அதே ஏன் யார் எந்த எல்லாம்
    ஆனால் நாம் நாங்கள் நீங்கள் அதற்கு இதற்கு எங்கு எப்படி எப்போது இல்லை உம்
    """

  static let indonesian = """
    ada adalah adanya agar akan akibat aku anda antara apa apabila apakah atas atau bagai bagaimana bagi bahkan bahwa
    banyak beberapa begitu belum bersama bila bisa bukan dalam dan dapat dari daripada demi demikian dengan di dia dirinya
    dua dulu hal hampir hanya harus hingga ia ialah ini itu jadi jangan jika jikalau juga kalau kali kami kamu karena ke
    kecuali kembali kemudian kepada ketika kita lagi lain lalu lebih maka mana masih melainkan melalui mengapa menjadi
    menurut mereka meski meskipun milik mungkin namun nya oleh orang pada padahal paling para pernah pula pun saat saja
    saling sambil sampai sana sangat saya seakan sebab sebagai sebelum sebuah secara sedang sedangkan segala sehingga sejak
    sekali sekarang selain selalu selama seluruh semua seorang seperti sering serta sesuatu sesudah setelah setiap siapa
    sini situ suatu sudah supaya tanpa tapi telah tentang tentu terhadap tersebut tetap tetapi tiap tidak untuk walaupun
    yaitu yakni yang
    """
}
