extension StopWordList {
  static let greek = """
    ο η το οι τα του της των τον την στο στον στη στην στους στις στα τους τις τη ένας μία μια ένα ενός μιας και κι αλλά
    αν όμως ή ούτε είτε να θα δεν μην μη για από με σε ως προς παρά κατά μετά πριν χωρίς μέχρι έως κάτω πάνω μέσα έξω εκεί
    εδώ που πού πως πώς πότε όταν ενώ επειδή γιατί διότι ώστε όπως όπου ότι ό,τι αυτός αυτή αυτό αυτοί αυτές αυτά αυτού
    αυτών αυτόν εκείνος εκείνη εκείνο εκείνοι εκείνες εκείνα εγώ εσύ εμείς εσείς μου σου μας σας με σε εμένα εσένα ποιος
    ποια ποιο ποιοι ποιες τι τίποτα κάθε κάποιος κάποια κάποιο κανείς κανένας όλος όλη όλο όλοι όλες όλα άλλος άλλη άλλο
    άλλοι άλλες άλλα ίδιος ίδια ίδιο είμαι είσαι είναι είμαστε είστε ήμουν ήταν ήσουν έχω έχεις έχει έχουμε έχετε έχουν
    είχα είχε είχαν τώρα τότε πάλι πολύ πιο μόνο ακόμα ακόμη ήδη επίσης λοιπόν δηλαδή όχι ναι οποίος οποία οποίο οποίοι
    οποίες οποίου οποίων όσο όσοι όσα τόσο
    """

  static let armenian = """
    այդ այլ այն այս այստեղ այնտեղ այդպես այսպես ապա արդեն բայց բոլոր դու դուք եթե ես եմ ենք եք եւ և էլ է էի էին էինք էիր էիք
    էր ըստ թե թեև ի ին իսկ իր իրեն իրենց իրենք ինչ ինչպես ինչու կա կամ կան հետ հետո համար հենց միայն մի մեկ մեջ մեզ մենք մեր
    մինչև մոտ ձեզ ձեր նա նաև նրա նրան նրանց նրանք նրանից շատ որ որը որի որոնք որպես որտեղ ու ում պիտի պետք սա վրա տակ քեզ քո
    քան բացի մասին միջև առանց դեպի ոչ չէ չի չեն դա դրա ով երբ
    """

  static let lithuanian = """
    aš abu ant apie ar arba aukščiau be bet beveik bus buvo buvau būti čia dar daug dėl dabar dėlto di ir į iki ypač iš ja
    jai jau jei jeigu ji jie jiems jis jo jog joje jos jų jums jumis jūs jūsų juo juos ką kad kada kadangi kai kaip kam kas
    kiek kiekvienas kita kitas kiti ko kodėl kol koks kokia kuo kur kuri kurie kuriuos kurios kuris kurį kurių lyg man mane
    manęs mano mat me mes mūsų mums mus na ne nei nes net nors nuo o pagal paskui pat pats pati per po prie prieš prieš pro
    sau save savo su tai taip taigi tačiau tad ta tam tas tave tavo te ten tie tik tiek to todėl toks tokia tos tu tuo tuos
    turi tą tų už vėl vis visas visi viso visų vien vienas virš yra esu esi esame esate šis ši šie šios šią šį šių šio štai
    """

  static let basque = """
    al ala alde aldiz alegia amaitu anitz ari arte artean asko ba baina bainan bait baita bakoitz baldin balio bat batean
    batek baten batera batez batzuei batzuek batzuen batzuetan batzuk bazen bera beraiek beraz berak bere berean berriz
    bertan beste besteak bestela beti bezain bezala beharrik da dago dela delako den dena denak dezake dira diren dit ditu
    dituen dituzte diot dio du dut duela duen dugu dute duten egin egon eta ere ez ezer ezin gabe gainera gehiago gu gure
    gutxi guzti guztiak haiek hain hala han hango har hara hari hartan hau hauek hemen hi hori horiek horko horra horren
    hortaz hura inoiz inor izan jada kontra lehen nahiz nahi ni nik nire nola non nondik nongo nor nora ondoren oraindik
    orain oso ordea ostera sarri ta truke zaio zaizkio zein zela zen zer zeren zergatik zeuden ziren zituen zu zuen zure
    """

  static let irish = """
    a ach acu ag agam agat againn agaibh agus ag aige aici air ais an ann aon ar arna as atá ba bhfuil bhí bhíodh bíonn
    bheith cad cá cathain cé chuig chun ciú cén conas dá dar de dhá do don duit dom dó di dúinn é ea eile faoi faoin
    féin fós gach gan go gur i iad idir in ina inár ins is iona le leis leat liom léi linn lena lenár má mar mé mise
    mo mura muid na nach nár ní níl níor nó nuair ó ón os óna pé roimh sa san sé seo sí sibh sin sinn siad siúd tá táim tar
    tú tusa thar trí trína um uaidh uile ach an
    """

  static let turkish = """
    acaba ama ancak artık aslında ayrıca az bana bazı bazen belki ben benden beni benim beri bile bir birçok biri birkaç
    biz bize bizden bizi bizim bu buna bunda bundan bunlar bunları bunların bunu bunun burada böyle böylece çok çünkü da
    daha dahi de defa değil diğer diye dolayı dolayısıyla eğer en fakat gibi göre hala hangi hatta hem henüz hep hepsi her
    herhangi herkes hiç hiçbir için ile ilgili ise işte kadar karşın kendi kendine kendini kez ki kim kimse mi mı mu mü
    nasıl ne neden nedenle nerede nereye niçin niye o olan olarak oldu olduğu olmak olması olsa olup olur ona ondan onlar
    onlara onlardan onları onların onu onun orada oysa öyle pek rağmen sadece sana sanki sen senden seni senin siz size
    sizden sizi sizin sonra şey şeyi şeyler şu şuna şunu şöyle tarafından tüm üzere var ve veya ya yani yapılan yerine yine
    yok yoksa zaten
    """
}
