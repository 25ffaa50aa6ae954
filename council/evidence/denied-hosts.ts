import { listed } from './listed.js';

// Change the lists of this file only together with `evidenceRules`.

/**
 * For the vendors' own block lists, which take at most 100 hosts: what a search is likeliest to meet comes first. A
 * vendor with a shorter list takes the first ones.
 */
export const blockedHosts: readonly string[] = listed(`
  polymarket.com, kalshi.com, manifold.markets, metaculus.com, oddschecker.com, predictit.org,
  polymarket.us, electionbettingodds.com, forecastex.com, robinhood.com, smarkets.com, betfair.com,
  gjopen.com, goodjudgment.io, futuur.com, limitless.exchange, myriad.markets, predict.fun,
  hedgehog.markets, insightprediction.com, cmegroup.com, oddsportal.com, bet365.com, draftkings.com,
  fanduel.com, actionnetwork.com, covers.com, vegasinsider.com, oddsshark.com, polymarketanalytics.com,
  polyspotter.com, polyveritas.com, hkimarket.com, predscope.com, oddsshift.com, simplefunctions.dev,
  eroteme.ai, adjacent.news, rateprobability.com, betmgm.com, caesars.com, williamhill.com, ladbrokes.com,
  paddypower.com, skybet.com, coral.co.uk, betfred.com, betvictor.com, unibet.com, bwin.com, betway.com,
  1xbet.com, pinnacle.com, bovada.lv, betonline.ag, mybookie.ag, stake.com, sportsbet.com.au, tab.com.au,
  pointsbet.com, sportsbook.ag, betrivers.com, hardrock.bet, espnbet.com, thescore.bet, fanatics.com,
  matchbook.com, betdaq.com, sporttrade.com, prophetx.co, novig.us, prizepicks.com, underdogfantasy.com,
  sportsbookreview.com, sportsbettingdime.com, betexplorer.com, oddspedia.com, the-odds-api.com,
  bookies.com, betting.com, olbg.com, racingpost.com, timeform.com, sportinglife.com, freesupertips.com,
  easyodds.com
`);

/**
 * Where prices of events are published: prediction and forecasting platforms, bookmakers, betting exchanges,
 * comparisons of odds, and tools that show what a market implies. A host stands for itself and its subdomains.
 */
export const deniedHosts: readonly string[] = [
  ...blockedHosts,
  ...listed(`
    infer-pub.com, cultivatelabs.com, randforecastinginitiative.org, fatebook.io, iemweb.biz.uiowa.edu,
    iem.uiowa.edu, augur.net, omen.eth.limo, presagio.pages.dev, azuro.org, bookmaker.xyz,
    overtimemarkets.xyz, thalesmarket.io, drift.trade, zeitgeist.pm, polkamarkets.com, opinion.trade,
    probable.markets, xo.market, truemarkets.org, prdt.finance, sxbet.com, sx.bet, forecasttrader.com,
    polywhaler.com, polysights.xyz, predictionnews.com, oddpool.com, maximumtruth.org, betsson.com,
    betano.com, tipico.de, tipico.com, interwetten.com, oddset.de, neobet.de, bet-at-home.com,
    wettbasis.com, sportwettenvergleich.net, wettfreunde.net, wetten.com, wettanbieter.de, winamax.fr,
    betclic.fr, betclic.com, parionssport.fdj.fr, pmu.fr, zebet.fr, netbet.com, rue-des-joueurs.com,
    coteur.com, ruedesjoueurs.com, codere.es, codere.com, codere.mx, sportium.es, caliente.mx, luckia.es,
    apuestas-deportivas.es, apuestasdeportivas.com, marcaapuestas.es, retabet.es, betplay.com.co, wplay.co,
    snai.it, sisal.it, eurobet.it, lottomatica.it, goldbet.it, planetwin365.it, toto.nl, jacks.nl,
    svenskaspel.se, atg.se, norsk-tipping.no, danskespil.dk, veikkaus.fi, fortuna.cz, tipsport.cz, sts.pl,
    superbet.pl, superbet.ro, efortuna.pl, fonbet.ru, winline.ru, ligastavok.ru, marathonbet.com,
    melbet.com, parimatch.com, betboom.ru, legalbet.ru, bookmaker-ratings.ru, nesine.com, bilyoner.com,
    iddaa.com, misli.com, stoiximan.gr, opap.gr, novibet.gr, sportingbet.com, betnacional.com, blaze.com,
    kto.com, dafabet.com, sbobet.com, fun88.com, 188bet.com, m88.com, w88.com, 12bet.com, 22bet.com,
    bet9ja.com, sportybet.com, betika.com, hollywoodbets.net, betking.com, dream11.com, probo.in, hkjc.com,
    singaporepools.com.sg, ladbrokes.com.au, neds.com.au, palmerbet.com, betr.com.au, betus.com.pa,
    betcris.com, bookmaker.eu, 5dimes.eu, betnow.eu, xbet.ag, bodog.eu, cloudbet.com, bc.game, roobet.com,
    rotogrinders.com, rotowire.com, teamrankings.com, donbest.com, sportsline.com, pickswise.com,
    dimers.com, thelines.com, legalsportsreport.com, playusa.com, betsperts.com, oddstrader.com,
    oddsjam.com, outlier.bet, unabated.com, betql.co, bettingpros.com, scoresandodds.com, sbrodds.com,
    wagertalk.com, docsports.com, gambling.com, gamblingsites.com, casino.org, betting.net,
    bettingexpert.com, bettingodds.com, betbrain.com, oddsmonkey.com, oddspapi.io, betstudy.com,
    forebet.com, predictz.com, windrawwin.com, asianbetsoccer.com, nowgoal.com, titan007.com, okooo.com,
    500.com, aicai.com
  `),
];

/** Labels of host names that are denied under every domain, such as `betfair.it` and `polymarket.substack.com`. */
export const deniedLabels: readonly string[] = listed(`
  polymarket, kalshi, predictit, metaculus, futuur, smarkets, betfair, oddschecker, oddsportal, bet365,
  draftkings, fanduel, betmgm, williamhill, ladbrokes, paddypower, skybet, betfred, betvictor, unibet,
  bwin, betway, 1xbet, betsson, betano, interwetten, winamax, betclic, codere, sportsbook, sportsbooks,
  odds, betting, sportsbetting, sports-betting, sportwetten, wetten, apuestas, apostas, scommesse,
  paris-sportifs, parissportifs, prediction-markets, predictionmarkets, forecasttrader, fedwatch,
  sportsbet, electionbettingodds, oddsshark, pinnacle-sports, sportingbet, bookmakers
`);

/** Segments of a path below which news sites keep what bookmakers and markets say. */
export const deniedSegments: readonly string[] = listed(`
  odds, betting, bets, sports-betting, sportsbetting, sportsbook, betting-odds, betting-tips, best-bets,
  betting-news, betting-advice, betting-picks, betting-guide, free-bets, bookmakers, oddset, sportwetten,
  wetten, wettquoten, wett-tipps, apuestas, apuestas-deportivas, cuotas, momios, pronosticos-apuestas,
  paris-sportifs, paris-en-ligne, scommesse, quote-scommesse, apostas, apostas-esportivas, bukmacherzy,
  prediction-markets, prediction-market, predictions-markets, event-contracts, predict-markets, fedwatch,
  cme-fedwatch-tool, fed-rate-monitor, market-probability-tracker, sportsbooks, moneyline, gambling-odds,
  polymarket, kalshi, metaculus, manifoldmarkets, predictit, predictionmarkets, wager, wagering
`);

/** Hosts behind which any page can stand, without its name in the address. */
export const opaqueHosts: readonly string[] = listed(`
  t.co, bit.ly, tinyurl.com, ow.ly, buff.ly, dlvr.it, lnkd.in, goo.gl, is.gd, rb.gy, cutt.ly, shorturl.at,
  news.google.com, feedproxy.google.com, trib.al, ift.tt, amzn.to, youtu.be, fb.me, wp.me, archive.ph,
  archive.is, archive.today, archive.md, archive.vn, archive.li, archive.fo, perma.cc, ghostarchive.org
`);

/** Redirects of vendors whose titles name the site that they lead to. */
export const titledRedirectHosts: readonly string[] = listed(`
  vertexaisearch.cloud.google.com
`);
