extension StopWordList {
  static let finnish = """
    ai aina ainakin ehkä ei eikä eivät eli ellei emme en enemmän ennen ensin entä entäs et että ette he heidän heidät
    heille heillä heissä heistä heitä hän häneen hänelle hänellä hänen hänessä hänestä hänet häntä ihan ilman itse ja jo
    johon joiden joihin joille joilla joissa joista joita joka jokainen jolla jolle jolloin jona jonka jopa jos joskus
    josta jossa jota jotka jotta joten kaikki kaiken kanssa kautta keiden keitä kenen kenet ketkä ketä koko koska
    kuin kuinka kuitenkin kuka kun kunnes kyllä lisäksi luona läpi me meidän meidät meille meillä meissä meitä melko mihin
    mikä mikäli miksi mille millä minkä minne minua minulla minulle minun minussa minut minä missä mistä mitkä mitä miten
    mukaan mutta muu muut muita myös ne niiden niihin niille niillä niin niissä niistä niitä noiden noin noita nuo nyt
    nämä näiden näin näissä näistä näitä ole olemme olen olet olette oli olimme olin olisi olisivat olit olivat olla
    olleet ollut on ovat paitsi pitkin poikki päin se sekä sen siellä siihen siinä siis siitä siksi sille sillä silloin
    silti sinua sinulla sinulle sinun sinut sinä sitten sitä suhteen tai taas tahansa te teidän teille teitä tuo tuon tuossa
    tuota tähän tällä tämä tämän tässä tästä tätä vaan vaikka vain vielä voi voidaan voivat vuoksi yli
    """

  static let hungarian = """
    a abban ahhoz ahogy ahol ak aki akik akkor alatt által általában amely amelyek amelyekben amelyet amelynek ami amit
    amíg amikor annak annál arra arról át az azért azok azon azonban azt aztán azután azzal bár be belül benne csak de
    e eddig egész egy egyéb egyes egyetlen egyik egyre ekkor el elég ellen elő először előtt emilyen én ennek erre és és ez
    ezek ezen ezért ezt ezzel fel felé hanem hiszen hogy hogyan honnan hová ide igen így ill illetve ilyen ilyenkor is ismét
    itt jobban kell kellett keresztül ki kívül között közül le legalább legyen lehet lehetett lenne lenni lesz lett
    ma maga magát majd már más másik meg még mellett melyek melyik mely mert mi miatt mikor milyen minden mindenki mindent
    mindig mint mintha mit mivel most nagyon ne néha neki nekem nélkül nem néhány nincs ő ők őket olyan ott össze pedig persze
    rá s saját sem semmi se sok sokat számára szemben szerint szinte talán te tehát tőle tovább továbbá ti úgy ugyanis után
    utána vagy vagyis vagyok valaki valami van vannak vele vissza viszont volna volt voltak voltam voltunk
    """
}
