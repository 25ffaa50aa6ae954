import { listed } from './listed.js';

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
  caliente.mx, tab.com.au, stake.com, vegas odds*, electionbettingodds, predict.fun
`);

/** Words that speak of betting or of a market's probability, in the languages in which vendors' searches answer. */
export const consensusWords: readonly string[] = [
  // English
  ...listed(`
    odds, oddsmaker*, bettor*, bookmaker*, bookie*, sportsbook*, punter, punters, wager*, moneyline*,
    money line, prediction market*, prediction-market*, predictions market*, event contract*, yes shares,
    yes share, yes contract*, yes token*, no shares, no contracts, betting market*, betting exchange*,
    betting favorite*, betting favourite*, betting line*, betting site*, betting firm*, betting compan*,
    betting house*, betting shop*, betting public, betting app*, betting platform*, betting pric*,
    betting average*, betting data, sports betting, sportsbetting, point spread, pointspread, gambler*,
    spread implies, spread favors, spread favours, implied probabilit*, implied chance*,
    implied likelihood, implied win, market-implied, market implied, futures-implied, futures imply,
    futures implied, swaps imply, swaps implied, market probabilit*, market-based probabilit*,
    market consensus on, handicapper*, oddsmaking, tipster*, forecasting platform*, even money, even-money,
    bet at evens, at evens, parlay*, forecast market*, information market*, crowd forecast*,
    community prediction*, community forecast*, priced in, pricing in, prices in
  `),
  // German
  ...listed(`
    *wettquote*, *buchmacher*, wettanbieter*, wettburo*, *wettmarkt*, *wettborse*, wettende, wettenden,
    sportwette*, wettfavorit*, wettkurs*, *prognosemarkt*, *prognosemarkte*, *vorhersagemarkt*,
    prognoseborse*, wettlustige*, wettkund*, siegquote*, siegesquote*, eingepreist, quoten der,
    wetteinsatz*, wettportal*, wettfreund*, wettplattform*, implizite wahrscheinlichkeit*,
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
    probabilite implicite, probabilites implicites, marches de previsions, les cotes, la cote de victoire,
    cote a, cotee a, cotes a, une cote de, a une cote, la cote est, la cote a
  `),
  // Italian, Dutch, Nordic, Polish, Czech, Romanian, Hungarian, Turkish, Indonesian, Vietnamese
  ...listed(`
    scommess*, scommettitor*, allibrator*, mercati predittivi, mercato predittivo, mercati di previsione,
    wedkantor*, wedkantoor, gokker*, gokmarkt*, gokkantor*, voorspellingsmarkt*, quotering*, noteringen,
    oddsen, oddset, oddsene, oddsarna, spelbolag*, vadslagning*, spilfirma*, bookmakerne, vedonly*,
    bukmacher*, zaklad* bukmacher*, rynk* predykcyjn*, sazkov*, sazkar*, pariuri*, case de pariur*,
    fogadoiroda*, fogadok, bahis, bahisci*, bahis sirket*, iddaa, bursa taruhan, taruhan, petaruh, nha cai,
    ty le cuoc, ti le cuoc, ca cuoc
  `),
  // Russian, Ukrainian, Greek, Arabic, Hebrew, Persian, Hindi
  ...listed(`
    букмекер*, беттинг*, рынок предсказании, рынки предсказании, рынках предсказании, рынка предсказании,
    ставки на, ринки передбачень, ринок передбачень, στοιχημα*, μπουκ, μπουκμεικερ*, αγορες προβλεψ*,
    *مراهن*, سوق التنبؤ*, اسواق التنبؤ, *توقعات المراهن*, *הימורים*, *מהמרים*, שוק התחזיות, שרط بندی,
    شرط بندی, شرط‌بندی, शर्त, सट्टा*, सट्टेबाज*, ऑड्स, सट्टेबाज़*, बुकमेकर*
  `),
  // Chinese, Japanese, Korean, Thai
  ...listed(`
    赔率, 賠率, 盘口, 盤口, 博彩, 庄家, 莊家, 投注, 押注, 下注, 预测市场, 預測市場, 赌盘, 賭盤, 让球, 讓球, 隐含概率, 隱含機率, 隐含的概率, 市场隐含, 赌客, 賭客,
    赌注, 賭注, 竞猜市场, 博弈公司, オッズ, ブックメーカー, 予測市場, 賭け, 賭博, 배당, 베팅, 도박사, 예측시장, 예측 시장, 북메이커, อัตราต่อรอง, เจ้ามือ,
    ราคาต่อรอง, เดิมพัน
  `),
];

/** Phrases in which a consensus word speaks of something else. */
export const idioms: readonly string[] = listed(`
  at odds with, at odds over, at odds about, are at odds, were at odds, is at odds, remain at odds,
  still at odds, against all odds, against the odds, against long odds, odds and ends, beat the odds,
  beats the odds, beating the odds, beaten the odds, defied the odds, defying the odds, defy the odds,
  despite the odds, overcame the odds, overcoming the odds, stacked the odds, all bets are off,
  odds ratio*, odds-ratio*, implied volatility, por apuesta, apuesta por, apuestan por, apuesta de,
  prix de revient, la apuesta del gobierno, aposta em, cote a cote, cote de popularite,
  cotes de popularite, cote de confiance, implied warrant*, implied consent, 押注于自主
`);

/** Words that speak of a market only beside a probability. */
export const marketWords: readonly string[] = listed(`
  market, markets, marketplace, traders, trader, investors, futures, swaps, contract, contracts, betting,
  bets, bet, priced, pricing, implied, implies, imply, implying, favorite*, favourite*, underdog*, crowd,
  superforecaster*, trading at, trades at, traded at, gambl*, longshot*, long shot, shares trade,
  speculators, markt, markte, markten, marktes, handler, anleger, favorit*, aussenseiter*, außenseiter*,
  wetten, wette, wettet, quote, quoten, terminmarkt*, terminkontrakt*, impliziert, implizieren, bepreist,
  mercado, mercados, cuota, cuotas, operadores, inversores, implicita, implicito, cotiza, cotizan,
  apuestan, apostaron, cotacao, cotacoes, cota, negociado a, marche, marches, cote, cotes, favori, favoris,
  favorite, operateurs, investisseurs, parient, parie, implique, impliquent, mises, outsider*, mercato,
  mercati, quota, quotato, favoriti, koers, kurs, kursy, kurz, cotele, oran, oranlar*, piyasa*, рынок,
  рынки, рынка, коэффициент*, котировк*, фаворит*, ставк*, трейдер*, السوق, बाजार, αποδοση, αποδοσεις,
  φαβορι, rynek, rynki, faworyt*, marked, marknaden, markedet, favorittet, 市场, 市場, 交易员, 交易員, 热门, 熱門, 大热,
  投资者, 投資者, 看好, 定价, 定價, 本命, 시장, ตลาด
`);

/** Beside a market word, these speak of a probability, whatever else the sentence measures. */
export const probabilityWords: readonly string[] = listed(`
  chance, chances, probabilit*, likelihood, likely, implied, implies, imply, implying, priced at,
  fair value, to win, of winning, favorite at, favourite at, favorites at, favourites at, priced as,
  pricing a, price a, prices a, priced a, bets on, bet on, betting on, betting that, bets that,
  wahrscheinlichkeit*, chancen, siegchance*, wahrscheinlich, probabilidad*, posibilidades, opciones de,
  probabilidade*, probabilite*, chances de, de chances, probabile, probabilita, kans, kansen, szans*,
  pravdepodobnost*, вероятност*, шанс*, πιθανοτητ*, olasilig*, ihtimal*, sannolikhet*, sandsynlighed*, 概率,
  几率, 機率, 機會, 可能性, 胜率, 勝率, 確率, 확률, 가능성, โอกาส, *احتمال*, संभावना
`);

/** What `the market` does when it has a view of an outcome; no number is needed. */
export const marketBeliefs: readonly string[] = listed(`
  sees, see, saw, gives, give, gave, favors, favours, favor, favour, favored, favoured, assigns, assign,
  assigned, thinks, think, believes, believe, expects, expect, expected, anticipates, anticipate, leans,
  lean, is leaning, are leaning, bets, are betting, is betting, is pricing, are pricing, prices in,
  price in, has priced, have priced, doubts, doubt, implies, imply
`);

/** The same, if a price stands beside it. */
export const marketLevels: readonly string[] = listed(`
  puts, put, prices, price, priced, says, say, said, at, is at, was at, are at, stands at, sits at, rates,
  rate, moved to, has it, has him, has her, has them, makes, make, made, shows
`);

/** What may stand between `the market` and its verb. */
export const marketAdverbs: readonly string[] = listed(`
  now, still, also, currently, already, only, even, clearly
`);

/** What a percentage or a decimal measures when it is no price. */
export const measuredWords: readonly string[] = [
  // Votes and opinion polls
  ...listed(`
    poll, polls, polled, polling, pollster*, survey*, respondent*, voter*, votes, vote, voted, turnout,
    ballots, approval, electorate, seats, majority, referendum, adults, households, consumers, share,
    shares of, umfrage*, befragt*, wahler*, stimmen, stimmenanteil*, wahlbeteiligung, zustimmung, mandate,
    encuesta*, sondeo*, votos, votantes, participacion, escanos, aprobacion, encuestados, sondage*,
    electeurs, voix, suffrages, participation, popularite, sondes, intention* de vote, sondagg*, pesquisa*,
    民调, 民調, 投票, 选民, 選民, 得票, 支持率, 受访, 受訪, 调查, 調查, 調査, 여론조사
  `),
  // Economy
  ...listed(`
    inflation, cpi, pce, unemployment, jobless*, payroll*, wage*, gdp, growth, yield, yields, tariff*,
    basis points, interest rate*, mortgage*, rent, rents, revenue*, sales, profit*, margin*, earnings,
    index, s&p, nasdaq, dow, dax, ftse, nikkei, euro stoxx, stoxx, capitalization, capitalisation, exports,
    imports, output, production, demand, supply, deficit, budget, tax*, ipo, dividend*, stake, stocks,
    equities, bonds, oil, crude, gold, bitcoin, dollar, euro, barrel, gallon, ounce, bushel, signed,
    two-year, five-year, ten-year, 10-year, 2-year, salary, employment, jobs, prices, vacanc*,
    inflationsrate, teuerung*, arbeitslos*, zins*, rendite*, wachstum*, umsatz*, anteil*, aktie*, gewinn*,
    bruttoinlandsprodukt, preise, lohne, inflacion, desempleo, paro, crecimiento, pib, tipos de interes,
    tasa*, ventas, ingresos, acciones, precios, bolsa, indice, ibex*, salari*, exportaciones, inflacao,
    chomage, croissance, taux, ventes, chiffre d'affaires, actions, prix, cac 40, bourse, salaires,
    rendement*, 通胀, 通脹, 失业, 失業, 增长, 增長, 利率, 销售, 銷售, 份额, 份額, 股, 指数, 指數, 营收, 收益率, 出口, 进口, 產量, 产量, 同比, 环比, 物价,
    房价, 油价, 金价, 价格上涨, 价格下跌, 价格指数, 涨幅, 跌幅, 占比
  `),
  // Sport, health, weather, science
  ...listed(`
    possession, passes, shots, batting, free throws, three-point*, completion*, accuracy, efficacy, era,
    vaccinat*, hospital*, cases, mortality, rainfall, precipitation, capacity, humidity, celsius, degrees,
    population, patients, reservoir*, emissions, ballbesitz, posesion, contenance, 控球率, 命中率, quote der,
    cuota de pantalla, cuota de mercado, cote de popularite, part de marche, parts de marche, lapped,
    minutes
  `),
];

/** A change by so much, as stock markets make it. */
export const movementWords: readonly string[] = listed(`
  rose, fell, rise, rises, fall, falls, rising, falling, gained, gain, gains, lost, dropped, drop, climbed,
  jumped, slipped, surged, plunged, tumbled, slid, sank, rallied, declined, decline, grew, grow, grows,
  grown, risen, fallen, shrank, increased, decreased, expanded, contracted, advanced, up, down, added,
  shed, closed, stieg, stiegen, fiel, fielen, wuchs, gestiegen, gefallen, gesunken, gewachsen, minus, plus,
  verlor, legte, subio, subieron, cayo, cayeron, bajo, crecio, aumento, retrocedio, avanzo, gano, perdio,
  recule, hausse, baisse, progresse, gagne, perdu, augmente, bondi, chute, 上涨, 下跌, 上漲, 下降, 上升, 收涨, 收跌, 萎缩,
  扩大, выросл*, упал*, снизил*
`);

/** Names of markets in which no event is traded, and what is said of any market. */
export const otherMarkets: readonly string[] = listed(`
  stock market*, labor market*, labour market*, job market*, jobs market*, housing market*, bond market*,
  equity market*, property market*, real estate market*, energy market*, oil market*, gas market*,
  power market*, electricity market*, car market*, auto market*, smartphone market*, capital market*,
  money market*, credit market*, emerging market*, frontier market*, single market, common market,
  bear market*, bull market*, free market*, black market*, market share*, share of the market, market cap*,
  market value*, market leader*, market research*, market size, market econom*, market access,
  market basket, market day*, farmers' market*, farmers market*, flea market*, transfer market*,
  wholesale market*, retail market*, ad market*, advertising market*, chip market*, commodity market*,
  commodities market*, financial market*, rental market*, ev market*, vehicle market*, overseas market*,
  domestic market*, home market*, crypto market*, market for, open market committee,
  open market operation*, employment contract*, contract worth, contract talks, contract extension,
  year contract, contract with, fan favorite*, fan favourite*, crowd favorite*, crowd favourite*,
  favorite son, a crowd of, crowd of, mercado laboral, mercado de trabajo, mercado de valores,
  mercado bursatil, mercado inmobiliario, mercado de la vivienda, cuota de mercado, cuotas de mercado,
  mercado automovilistico, mercado comun, mercado de trabalho, mercado de acoes, participacao de mercado,
  mercado unico, mercados emergentes, marche du travail, marche de l'emploi, marche boursier,
  marches boursiers, marche immobilier, part de marche, parts de marche, marche automobile, marche unique,
  marche interieur, marches financiers, marche obligataire, mercados financieros, mercati finanziari,
  mercato del lavoro, quota di mercato, markt fur, kurs auf, 劳动力市场, 勞動力市場, 就业市场, 就業市場, 股票市场, 股票市場, 房地产市场,
  房地產市場, 市场份额, 市場份額, 楼市, 债券市场, 債券市場, 资本市场, 資本市場, 市场占有率, 市場占有率, 市场规模, 市场监管, 市場監管, 汽车市场, 新兴市场, 新興市場, 国内市场,
  住房市场, 手机市场, 市场销售, 労働市場, 株式市場, 노동시장
`);

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
