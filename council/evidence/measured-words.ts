import { listed } from './listed.js';

// In folded form, as in `odds-words.ts`. Change the lists only together with `evidenceRules`.

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
    equities, bonds, oil, crude, gold, bitcoin, dollar*, dolar*, euro*, zlot*, frank*, yen, pound, barrel,
    gallon, ounce, bushel, signed, two-year, five-year, ten-year, 10-year, 2-year, salary, employment,
    jobs, prices, vacanc*, inflationsrate, teuerung*, arbeitslos*, zins*, rendite*, wachstum*, umsatz*,
    anteil*, aktie*, gewinn*, bruttoinlandsprodukt, preise, lohne, inflacion, desempleo, paro, crecimiento,
    pib, tipos de interes, tasa*, ventas, ingresos, acciones, precios, bolsa, indice, ibex*, salari*,
    exportaciones, inflacao, chomage, croissance, taux, ventes, chiffre d'affaires, actions, prix, cac 40,
    bourse, salaires, rendement*, 通胀, 通脹, 失业, 失業, 增长, 增長, 利率, 销售, 銷售, 份额, 份額, 股, 指数, 指數, 营收, 收益率, 出口, 进口,
    產量, 产量, 同比, 环比, 物价, 房价, 油价, 金价, 价格上涨, 价格下跌, 价格指数, 涨幅, 跌幅, 占比
  `),
  // Sport, health, weather, science
  ...listed(`
    harvest*, crop, crops, soybean*, wheat, corn, possession, passes, shots, batting, free throws,
    three-point*, completion*, accuracy, efficacy, era, vaccinat*, hospital*, cases, mortality, rainfall,
    precipitation, capacity, humidity, celsius, degrees, population, patients, reservoir*, emissions,
    ballbesitz, posesion, contenance, 控球率, 命中率, quote der, cuota de pantalla, cuota de mercado,
    cote de popularite, part de marche, parts de marche, lapped, minutes
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
  扩大, выросл*, упал*, снизил*, caida, subida, alza, cierre, cerro, cierra, queda, alta, subiu, caiu,
  fechou, repli, recul, rebond, cloture, schloss, schlossen, abwarts, aufwarts, nachgab, verluste,
  reagiert*, calo, rialzo, ribasso, chiude, chiuso, 收盘, 收盤, 回落, 反弹
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
  住房市场, 手机市场, 市场销售, 労働市場, 株式市場, 노동시장, favorite of, favourite of
`);
