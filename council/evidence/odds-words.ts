import { listed } from './listed.js';
import type { NounAndVerb } from './word-finder.js';

/**
 * The words by which `quotes-odds.ts` recognises a market's view, in folded form (`fold-text.ts`). `*` stands for any
 * further letters. Change them only together with `evidenceRules`.
 */

/** Prediction markets, betting exchanges, bookmakers and tools that show what a market implies. */
export const venues: readonly string[] = listed(`
  polymarket, kalshi, predictit, metaculus, manifold markets, manifold.markets, on manifold, futuur,
  limitless exchange, myriad markets, forecastex, forecasttrader, hedgehog markets, smarkets,
  insight prediction, robinhood prediction*, good judgment open, gjopen, fedwatch, iowa electronic market*,
  betfair, matchbook, betdaq, oddschecker, oddsportal, bet365, draftkings, fanduel, betmgm,
  caesars sportsbook, bovada, betonline, pointsbet, sportsbet, william hill, ladbrokes, paddy power,
  betfred, betvictor, coral odds, sky bet, skybet, unibet, bwin, betway, 1xbet, betsson, tipico,
  interwetten, winamax, betclic, codere, sportium, pinnacle sports, sporttrade, prophetx, novig, betano,
  caliente.mx, tab.com.au, stake.com, vegas odds*, electionbettingodds, predict.fun, manifold users,
  manifold traders, manifold forecasters, manifold has, manifold gives, manifold puts, fed watch, 美联储观察,
  美聯儲觀察, 利率观察工具
`);

/** Words that speak of betting or of a market's probability, in the languages in which vendors' searches answer. */
export const consensusWords: readonly string[] = [
  // English
  ...listed(`
    odds, oddsmaker*, bettor*, bookmaker*, bookie*, sportsbook*, punter, punters, wager*, moneyline*,
    money line, prediction market*, prediction-market*, predictions market*, event contract*, yes shares,
    yes share, yes contract*, yes token*, betting market*, betting exchange*, betting favorite*,
    betting favourite*, betting line*, betting site*, betting firm*, betting compan*, betting house*,
    betting shop*, betting public, betting app*, betting platform*, betting pric*, betting average*,
    betting data, sports betting, sportsbetting, point spread, pointspread, spread implies, spread favors,
    spread favours, implied probabilit*, implied chance*, implied likelihood, implied win, market-implied,
    market implied, futures-implied, futures imply, futures implied, swaps imply, swaps implied,
    market probabilit*, market-based probabilit*, market consensus on, handicapper*, oddsmaking, tipster*,
    forecasting platform*, even money, even-money, bet at evens, at evens, parlay, parlays,
    forecast market*, information market*, crowd forecast*, community prediction*, community forecast*,
    money is coming in on, is evens to, are evens to, contrat oui, contrat non, contratto si, contratto no,
    contrato si, contrato del si, ja kontrakt*, nein kontrakt*, segun las cuotas, 合约价格, 合約價格, 预测平台, 預測平台,
    prediction platform*, prediction site*, over under, vegas has, vegas line*, vegas favors, vegas likes,
    price shortened, prices shortened, price drifted, odds on favorite, front runner with bettors,
    fully priced in, already priced in, is priced in, are priced in, all but priced in, largely priced in,
    have priced in, has priced in, be priced in, not priced in, been priced in, pricing in a,
    pricing in an, pricing in at, pricing in about, pricing in roughly, pricing in the, pricing in further,
    pricing in more, pricing in two, pricing in one, pricing in only, pricing in some, d apres les cotes,
    selon les cotes, 배당률
  `),
  // German
  ...listed(`
    *wettquote*, *buchmacher*, wettanbieter*, wettburo*, *wettmarkt*, *wettborse*, wettende, wettenden,
    sportwette*, wettfavorit*, wettkurs*, *prognosemarkt*, *prognosemarkte*, *vorhersagemarkt*,
    prognoseborse*, wettlustige*, wettkund*, siegquote*, siegesquote*, eingepreist, wetteinsatz*,
    wettportal*, wettfreund*, wettplattform*, implizite wahrscheinlichkeit*,
    impliziten wahrscheinlichkeit*
  `),
  // Spanish and Portuguese
  ...listed(`
    apuesta, apuestas, apostador*, casa de apuestas, momio, momios, mercado de prediccion*,
    mercados de prediccion*, mercado predictivo, mercados predictivos, probabilidad implicita,
    probabilidades implicitas, pronosticos deportivos, apostas, aposta, mercado de previs*,
    mercados de previs*, mercados preditivos, mercado preditivo, probabilidade implicita, casas de aposta*
  `),
  // French
  ...listed(`
    parieur*, paris sportifs, pari sportif, marche de prediction*, marches de prediction*, bookmakeur*,
    marche predictif, marches predictifs, marche de paris, marches de paris, sites de paris, site de paris,
    probabilite implicite, probabilites implicites, marches de previsions, la cote de victoire, cote a,
    cotee a, cotes a, une cote de, a une cote, la cote est, la cote a
  `),
  // Italian, Dutch, Nordic, Polish, Czech, Romanian, Hungarian, Turkish, Indonesian, Vietnamese
  ...listed(`
    scommess*, scommettitor*, allibrator*, mercati predittivi, mercato predittivo, mercati di previsione,
    wedkantor*, wedkantoor, gokker*, gokmarkt*, gokkantor*, voorspellingsmarkt*, quotering*, oddsen,
    oddset, oddsene, oddsarna, spelbolag*, vadslagning*, spilfirma*, bookmakerne, vedonly*, bukmacher*,
    zaklad* bukmacher*, rynk* predykcyjn*, sazkov*, sazkar*, pariuri*, case de pariur*, fogadoiroda*,
    fogadok, bahis, bahisci*, bahis sirket*, iddaa, bursa taruhan, taruhan, petaruh, nha cai, ty le cuoc,
    ti le cuoc, ca cuoc
  `),
  // Russian, Ukrainian, Greek, Arabic, Hebrew, Persian, Hindi
  ...listed(`
    букмекер*, беттинг*, рынок предсказании, рынки предсказании, рынках предсказании, рынка предсказании,
    ставки на победу, делают ставки, сделали ставки, ринки передбачень, ринок передбачень, στοιχημα*,
    μπουκ, μπουκμεικερ*, αγορες προβλεψ*, *مراهن*, سوق التنبؤ*, اسواق التنبؤ, *توقعات المراهن*, *הימורים*,
    *מהמרים*, שוק התחזיות, שרط بندی, شرط بندی, شرط‌بندی, शर्त, सट्टा*, सट्टेबाज*, ऑड्स, सट्टेबाज़*,
    बुकमेकर*
  `),
  // Chinese, Japanese, Korean, Thai
  ...listed(`
    赔率, 賠率, 盘口, 盤口, 博彩, 庄家, 莊家, 投注, 押注, 下注, 预测市场, 預測市場, 赌盘, 賭盤, 让球, 讓球, 隐含概率, 隱含機率, 隐含的概率, 市场隐含, 赌客, 賭客,
    赌注, 賭注, 竞猜市场, 博弈公司, オッズ, ブックメーカー, 予測市場, 賭け, 賭博, 베팅, 도박사, 예측시장, 예측 시장, 북메이커, อัตราต่อรอง, เจ้ามือ,
    ราคาต่อรอง, เดิมพัน, 市场预期, 市场普遍预期, 市场认为, 市场押注, 市场预计, 市场给出, 市场定价, 市场看好, 市場預期, 市場認為, 市場預計, 市場押注, 織り込み,
    織り込ん, 織り込む, 織り込ま
  `),
];

/** Phrases in which a consensus word speaks of something else. */
export const idioms: readonly string[] = listed(`
  at odds with, at odds over, at odds about, are at odds, were at odds, is at odds, remain at odds,
  still at odds, against all odds, against the odds, against long odds, odds and ends, beat the odds,
  beats the odds, beating the odds, beaten the odds, defied the odds, defying the odds, defy the odds,
  despite the odds, overcame the odds, overcoming the odds, stacked the odds, all bets are off,
  odds ratio*, odds-ratio*, implied volatility, por apuesta, apuesta por, apuesta de, prix de revient,
  la apuesta del gobierno, aposta em, cote a cote, cote de popularite, cotes de popularite,
  cote de confiance, implied warrant*, implied consent, 押注于自主, odds aside, priced in dollars, priced in us,
  priced in euros, priced in sterling, priced in yuan, priced in yen, priced in local, priced in foreign,
  pricing in the united, pricing in the us, pricing in the eu
`);

/** Words that speak of a market only beside a probability. */
export const marketWords: readonly string[] = listed(`
  market, markets, marketplace, traders, trader, investors, futures, swaps, contract, contracts, betting,
  bets, bet, priced, pricing, implied, implies, imply, implying, favorite*, favourite*, underdog*, crowd,
  superforecaster*, trading at, trades at, traded at, gambl*, gambler*, longshot*, long shot, shares trade,
  speculators, markt, markte, markten, marktes, handler, anleger, favorit*, aussenseiter*, außenseiter*,
  wetten, wette, wettet, quote, quoten, terminmarkt*, terminkontrakt*, impliziert, implizieren, bepreist,
  mercado, mercados, cuota, cuotas, operadores, inversores, implicita, implicito, cotiza, cotizan,
  apuestan, apostaron, cotacao, cotacoes, cota, negociado a, marche, marches, cote, cotes, favori, favoris,
  favorite, operateurs, investisseurs, parient, parie, implique, impliquent, mises, outsider*, mercato,
  mercati, quota, quotato, favoriti, koers, kurs, kursy, kurz, cotele, piyasa*, рынок, рынки, рынка,
  коэффициент*, котировк*, фаворит*, трейдер*, السوق, बाजार, αποδοση, αποδοσεις, φαβορι, rynek, rynki,
  faworyt*, marked, marknaden, markedet, favorittet, 市场, 市場, 交易员, 交易員, 热门, 熱門, 大热, 投资者, 投資者, 看好, 定价, 定價,
  本命, 시장, ตลาด
`);

/** Beside a market word, these speak of a probability, whatever else the sentence measures. */
export const probabilityWords: readonly string[] = listed(`
  chance, chances, probabilit*, likelihood, likely, implied, implies, imply, implying, priced at,
  fair value, to win, of winning, favorite at, favourite at, favorites at, favourites at, priced as,
  pricing a, price a, prices a, priced a, bets on, bet on, betting on, betting that, bets that,
  wahrscheinlichkeit*, chancen, siegchance*, wahrscheinlich, probabilidad*, posibilidades, opciones de,
  probabilidade*, probabilite*, chances de, de chances, probabile, probabilita, kans, kansen, szans*,
  pravdepodobnost*, вероятност*, шанс*, πιθανοτητ*, olasilig*, ihtimal*, sannolikhet*, sandsynlighed*, 概率,
  几率, 機率, 機會, 可能性, 胜率, 勝率, 確率, 확률, 가능성, โอกาส, *احتمال*, संभावना, gambler*, in two chance, in three chance,
  in four chance, terminmarkte, terminmarkten
`);

const adverbs = listed('now, still, also, currently, already, only, even, clearly, widely, broadly, largely');

/** What `the market` does when it has a view of an outcome; no number is needed. */
export const marketBeliefs: readonly NounAndVerb[] = [
  {
    nouns: ['market', 'markets', 'market participants'],
    adverbs,
    verbs: listed(`
      sees, see, saw, gives, give, gave, favors, favours, favor, favour, favored, favoured, assigns,
      assign, assigned, thinks, think, believes, believe, expects, expect, expected, anticipates,
      anticipate, leans, lean, is leaning, are leaning, bets, bet on, are betting, is betting, is pricing,
      are pricing, prices in, price in, has priced, have priced, doubts, doubt, implies, imply, attach,
      attaches, is certain, are certain, is all but certain, are all but certain, is convinced,
      are convinced, is confident, are confident, is sure, are sure, discount, discounts, points to,
      point to, is pointing, are pointing
    `),
  },
  {
    nouns: listed('traders, futures, swaps, speculators, options'),
    adverbs: [...adverbs, 'fully'],
    verbs: listed(`
      bet, bet on, are betting, are wagering, price in, are pricing, are fully pricing, imply, point to,
      are pointing
    `),
  },
  {
    nouns: listed(
      'markt, markte, markten, terminmarkt, terminmarkte, geldmarkt, geldmarkte, zinsmarkte, finanzmarkte',
    ),
    adverbs: [],
    verbs: listed(`
      sieht, sehen, gibt, geben, preist, preisen, taxiert, taxieren, erwartet, erwarten, rechnet, rechnen,
      glaubt, glauben, setzt auf, setzen auf, traut, trauen, halt, halten, geht davon aus, gehen davon aus
    `),
  },
  {
    nouns: ['mercado', 'mercados'],
    adverbs: ['ya', 'le', 'les', 'lo', 'ja'],
    verbs: listed(`
      ve, ven, da, dan, descuenta, descuentan, espera, esperan, otorga, otorgan, asigna, asignan, preve,
      preven, anticipa, anticipan, apuesta, apuestan, cree, creen, considera, consideran, situa, situan,
      confia, veem, precifica, precificam, esperam, aposta, apostam, acredita, acreditam, atribui,
      atribuem
    `),
  },
  {
    nouns: ['marche', 'marches'],
    adverbs: ['y', 'lui'],
    verbs: listed(`
      voit, voient, donne, donnent, attribue, attribuent, anticipe, anticipent, table, tablent, estime,
      estiment, parie, parient, price, pricent, integre, integrent, escompte, escomptent, s attend,
      s attendent, croit, croient
    `),
  },
  {
    nouns: ['mercato', 'mercati'],
    adverbs: ['si'],
    verbs: listed(
      'vede, vedono, prezza, prezzano, sconta, scontano, assegna, assegnano, aspetta, aspettano, crede',
    ),
  },
  {
    nouns: ['рынок', 'рынки'],
    adverbs: [],
    verbs: listed(
      'закладывает, закладывают, оценивает, оценивают, ожидает, ожидают, ждет, ждут, видит, видят',
    ),
  },
];

/** The same, if a price stands beside it. */
export const marketLevels: readonly NounAndVerb[] = [
  {
    nouns: ['market', 'markets'],
    adverbs,
    verbs: listed(`
      puts, put, prices, price, priced, says, say, said, at, is at, was at, are at, stands at, sits at,
      rates, rate, moved to, has it, has him, has her, has them, makes, make, made, shows
    `),
  },
];

/** Law and business around betting, which says nothing about an outcome. */
export const institutionalWords: readonly string[] = listed(`
  cftc, regulator*, regulat*, lawsuit*, sued, suing, court, judge, ruling, licen*, legaliz*, legalis*, ban,
  banned, bans, illegal, fine, fined, fines, tax, taxes, addiction, ceo, founder, co-founder, acquire*,
  acquisition, investigat*, indict*, charged with, match-fixing, sponsor*, advertis*, legislat*, bill,
  attorney general, insider trading, raised, valuation, headquarter*, gesetz*, lizenz*, sucht, regulador,
  ley, multa, licencia, regulateur, loi, amende, licence, 监管, 法院, 牌照, 起诉, 非法
`);

/** How a percentage is written out, so that `sixty-two percent` needs no number of its own. */
export const percentWords: readonly string[] = listed(`
  percent, per cent, pct, percentage, prozent*, por ciento, por cento, pour cent, pourcent, per cento,
  procent*, prosent, prosentti*, szazalek*, yuzde, persen, phan tram, процент*, відсот*, τοις εκατο,
  بالمئة, بالمائة, في المئة, في المائة, درصد, אחוז*, प्रतिशत, फीसदी, 百分之, 百分點, パーセント, 퍼센트, เปอร์เซ็นต์,
  ร้อยละ, 成的, 成机会, 成把握
`);
