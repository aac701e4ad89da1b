extension StopWordList {
  static let german = """
    ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes anders auch auf
    aus bei beim bin bis bist da dabei dadurch dafür dagegen daher dahin damit danach daneben dann daran darauf
    daraus darin darüber darum das dass dasselbe davon davor dazu dein deine deinem deinen deiner dem demselben den
    denen denn dennoch der deren derer derselbe des deshalb dessen dich die dies diese dieselbe dieselben diesem
    diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einige einigem einigen einiger
    einiges einmal er es etwas euch euer eure eurem euren eurer für gegen gewesen hab habe haben hat hatte hatten
    hattest hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins ist ja jede jedem
    jeden jeder jedes jedoch jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner können könnte
    man manche manchem manchen mancher manches mehr mein meine meinem meinen meiner meines mich mir mit muss
    musste nach nachdem nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seines seit
    selbst sich sie sind so sogar solche solchem solchen solcher solches soll sollte sondern sonst sowie über um und
    uns unser unsere unserem unseren unserer unter viel vom von vor während wann war waren warst warum was weil
    weiter welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wirst wo wohl
    wollen wollte wurde wurden würde würden zu zum zur zwar zwischen
    """

  static let dutch = """
    aan al alle alleen alles als altijd andere ben bent bij daar daarna daarom dan dat de der des deze die dit doch
    doen door dus een eens elk elke en er erg ge geen geweest haar had hadden heb hebben hebt heeft hem hen het hier
    hij hoe hoewel hun ik in indien is ja je jij jou jouw jullie kan kon konden kunnen maar me meer men met mij mijn
    moest moet moeten na naar niet niets nog noch nu of om omdat omtrent ondanks onder ons onze ook op over reeds
    sinds soms te tegen tenzij ter terwijl toch toen tot totdat tussen u uit uw van vanaf vandaar veel voor vooral
    want waar waarom wanneer waren was wat we wel welke werd werden wezen wie wij wil worden wordt zal ze zei zelf
    zich zij zijn zo zoals zonder zou zouden zowel zullen
    """

  static let swedish = """
    alla allt att av bara bland bli blir blev blivit både de dem den denna deras dess dessa det detta dig din dina
    ditt där därför då efter eller en er era ert ett från för före genom ha hade han hans har hela henne hennes hon
    honom hur här i icke in inför ingen inget inga innan inom inte ja jag ju kan kunde med mellan men mer mig min
    mina mitt mot mycket ni nog nu när någon något några och också om oss på redan samma sedan sig sin sina sitt sitta
    själv ska skall skulle som så sådan sådana sådant till trots under upp ur ut utan vad var vara varför varit
    varje vars vart vem vems vi vid vilka vilken vilket vill vår våra vårt än ännu är åt över
    """

  static let danish = """
    ad af alle alt altid anden andet andre at bare begge blev blive bliver da de dem den denne der deres det dette dig
    din dine disse dit dog du efter eftersom ej eller en end ene er et fik for fordi fra få får før først gennem
    gør ham han hans har havde have hende hendes her hos hun hvad hvem hver hvilken hvilket hvis hvor hvordan
    hvorfor hvornår i ikke ind ingen intet jeg jer jeres jo kan kom kun kunne man mange med meget mellem men mens mig
    min mine mit mod må ned nej noget nogen nogle nok nu når og også om op os over på samme selv selvom sig sin sine
    sit skal skulle som stadig så sådan til ud uden under var ved vi vil ville vor vores være været
    """

  static let norwegian = """
    alle alt andre at av bare begge ble blei bli blir blitt både da de deg dei deim deira deires dem den denne der
    dere deres det dette di din disse ditt dit du dykk dykkar då eg ein eit eitt eller elles en enn er et ett etter
    for fordi fra før få gjennom ha hadde han hans har hennar henne hennes her hjå ho hoe honom hun hva hvem hver
    hvilke hvilken hvis hvor hvordan hvorfor i ikke ikkje ingen ingi inkje inn inni ja jeg kan kom korleis korso kun
    kunne kva kvar kven kvi kvifor man mange me med medan meg meget mellom men mens mer mi min mine mitt mot mye mykje
    må ned no noe noen noka noko nokon nokor nokre nå når og også om opp oss over på same samme seg selv si sia
    sidan siden sin sine sitt sjøl skal skulle slik so som somme somt så sånn til um under upp ut uten var vart varte
    ved vere verte vi vil ville vore vors vort være vært vår våre å
    """

  static let yiddish = """
    און אָדער אַז אויב אויך אויף אויס אום אונדז אונדזער איבער איז איך אים אין אינעם איר אָבער אָן אַ אַן אַלע אַלץ ביי
    ביז ביסט בין געווען דאָס דאָ דאָרט די דיר דיך דעם דער דערנאָך דורך האָב האָבן האָט האָבן הינטער וואָס וואו ווי ווייל
    ווען ווער וועט וועלן וועל ווערט זאָל זאָלן זי זיי זיין זיינען זיך זענען זאַל טאָן טאָר יא יעדער יענער יעצט מיט
    מיר מיך מען מער מוז ניט נישט נאָך נאָר עס ער עפּעס פאַר פון פֿון פֿאַר צו צווישן קיין קען קענען קעגן שוין
    """
}
