extension StopWordList {
  static let french = """
    à afin ai aie aient ainsi alors après as au aucun aucune aura auraient aurait auront aussi autre autres aux avaient
    avais avait avant avec avez avoir avons ayant c'est car ce ceci cela celle celles celui cependant ces cet cette
    ceux chaque chez ci comme comment contre d'un d'une dans de depuis des donc dont du elle elles en encore entre es
    est et étaient étais était étant être eu eux fait faut furent fut ici il ils j'ai je l'on la là laquelle le
    lequel les lesquels leur leurs lorsque lors lui ma mais malgré me même mêmes mes mien moi moins mon n'a n'est ne ni
    non nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus plusieurs pour pourquoi puis puisque
    qu'elle qu'il qu'ils qu'on qu'un qu'une quand que quel quelle quelles quelque quelques quels qui quoi s'est s'il
    sa sans se sera serait seront ses si sien soi soit sommes son sont sous suis sur ta tandis te tel telle telles tels
    tes toi ton toujours tous tout toute toutes très trop tu un une vers voici voilà vos votre vous y
    """

  static let spanish = """
    a al algo alguna algunas alguno algunos allí ante antes aquel aquella aquellas aquellos aquí así aun aún aunque
    bajo bien cada como cómo con contra cual cuál cuales cualquier cuando cuándo de del desde donde dónde dos durante e
    el él ella ellas ellos en entonces entre era eran eras eres es esa esas ese eso esos esta está estaba estaban
    estamos están estar estas este esto estos estoy fue fueron fui ha había habían haber hace hacia han has hasta hay he
    hemos la las le les lo los más me mi mí mientras mis misma mismas mismo mismos mucha muchas mucho muchos muy nada
    ni no nos nosotras nosotros nuestra nuestras nuestro nuestros nunca o os otra otras otro otros para pero poco por
    porque pues que qué quien quién quienes se según ser será sería si sí sido siempre sin sino sobre sois solo sólo
    somos son soy su sus suya suyo también tampoco tan tanto te tenía tener tiene tienen toda todas todavía todo todos
    tras tu tú tus tuya tuyo u un una unas uno unos usted ustedes vosotros vuestra vuestro y ya yo
    """

  static let portuguese = """
    a à às ao aos aquela aquelas aquele aqueles aquilo as assim até cada com como contra da das de dela delas dele deles
    depois desde dessa desse desta deste do dos durante e é ela elas ele eles em enquanto então entre era eram essa
    essas esse esses esta está estamos estão estar estas estava estavam este estes estou eu foi foram fomos fosse fui
    há havia isso isto já la lhe lhes lo mais mas me mesma mesmo meu meus minha minhas muito muitos na não nas nem
    nenhum nessa nesse nesta neste no nos nós nossa nossas nosso nossos num numa o onde os ou outra outras outro outros
    para pela pelas pelo pelos por porém porque pois qual quais qualquer quando quanto que quem se seja sem sempre ser
    será seria seu seus si sido sob sobre somos sou sua suas são só também tal tão te tem têm tenho ter tinha tinham toda
    todas todo todos tu tua tuas tudo teu teus um uma umas uns você vocês vos
    """

  static let italian = """
    a abbia abbiamo ad agli ai al alcuna alcune alcuni alcuno alla alle allo allora altra altre altri altro anche ancora
    avendo avere aveva avevano avete avrà avrebbe avuto c'è che chi ci cioè coi col come con contro cosa così cui da dagli
    dai dal dalla dalle dallo degli dei del dell della delle dello dentro di dopo dove dunque e è ebbe ed egli ella
    era erano essa esse essendo essere essi esso fa fino fra fu fui furono gli già ha hai hanno ho i il in infatti
    invece io l la là le lei li lo loro lui ma me mentre mi mia mie miei mio molto ne nè né negli nei nel nella nelle nello
    nessun nessuno no noi non nostra nostre nostri nostro o ogni oltre ora per perché perciò però più poco poi poiché
    prima proprio può qua qual quale quali quando quanto quasi quella quelle quelli quello questa queste questi questo
    qui quindi sa sarà saranno sarebbe se sé sei sempre senza si sì sia siamo siano siete sono sotto sta stata
    stesso su sua sue sugli sui sul sulla sulle sullo suo suoi te ti tra troppo tu tua tue tuo tuoi tutta
    tutte tutti tutto un una uno vi voi vostra vostre vostri vostro
    """

  static let catalan = """
    a abans això aquell aquella aquelles aquells aquest aquesta aquestes aquests així al algun alguna algunes alguns als
    altra altre altres amb ambdós aquí bé cada cap com contra d'un d'una dalt de del dels des després dins doncs durant e
    el ella elles ells els em en encara ens entre era eren es és esta està estan estar estat estava et eren fa feia fer
    fins fou ha hagi han haver havia he hem hi ho i in ja jo l'un la les li llavors lo los me més meu meus meva meves mi
    molt molta moltes molts mentre mateix mateixa ni no nosaltres nostra nostre nostres o on pel pels per perquè però
    poc poca potser quan quant quasi que què qual quals qualsevol qui s'ha sa sense ser seu seus seva seves si sí sobre
    sóc solament sols som són sota també tan tant te tenir tens té teu teus teva teves tot tota totes tots tu un una
    unes uns us va vaig van vosaltres vostra vostre vostres
    """

  static let romanian = """
    a abia acea aceasta această aceea aceia acel acela acele acelea aceşti acești acest acesta aceste acestea acestei
    acestor acestui acolo acum ai aici al ale alt alta altă alte alţi altul am apoi ar are aş aș aşa așa asta astfel
    asupra atât aţi ați atunci au avea avem aveţi aveți avut azi ca că când care căreia cărora cărui cât câte către ce
    cea cei cel cele celor cine cineva ceva chiar cînd cu cum cumva dacă dar dată de deasupra deci deja deşi deși din
    dintr dintre doar după ea ei el ele era erau este eşti ești eu face fi fie fiecare fiind fost fără iar îi îl îmi în
    înainte încă între întru îşi își îţi la le li lor lui mă mai mea mei mele mereu meu mi mie mine mult multe mulţi mulți
    ne ni nici nimic nişte niște noastră noastre noi noştri nostru nouă nu o ori orice pe pentru peste poate prea prin
    printr sa să săi sale sau se şi și sînt sub sunt suntem sunteţi ta tăi tale tău te ţi toată toate tot toţi toți
    totul tu un una unde unei unele uneori unii unor unui unul va vă voi vom vor vostru vouă voastră vreun
    """
}
