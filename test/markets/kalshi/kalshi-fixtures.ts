/** A market as Kalshi sends it, with the given changes. */
export function kalshiMarket(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ticker: 'KXRAIN-31MAR01-NYC',
    event_ticker: 'KXRAIN-31MAR01',
    market_type: 'binary',
    title: 'Will it rain in New York?',
    yes_sub_title: 'New York',
    no_sub_title: 'New York',
    created_time: '2031-02-01T10:00:00Z',
    open_time: '2031-02-01T15:00:00Z',
    close_time: '2031-03-15T12:00:00Z',
    expected_expiration_time: '2031-03-02T12:00:00Z',
    latest_expiration_time: '2031-03-20T12:00:00Z',
    occurrence_datetime: '2031-03-01T12:00:00Z',
    settlement_timer_seconds: 60,
    status: 'active',
    result: '',
    can_close_early: true,
    early_close_condition: 'This market will close after the gauge is read.',
    yes_bid_dollars: '0.4000',
    yes_bid_size_fp: '120.00',
    yes_ask_dollars: '0.4250',
    yes_ask_size_fp: '80.50',
    no_bid_dollars: '0.5750',
    no_ask_dollars: '0.6000',
    last_price_dollars: '0.4100',
    volume_fp: '1200.50',
    volume_24h_fp: '10.00',
    open_interest_fp: '900.00',
    notional_value_dollars: '1.0000',
    liquidity_dollars: '0.0000',
    expiration_value: '',
    strike_type: 'structured',
    custom_strike: { city: '1f' },
    rules_primary: 'If it rains in New York, then the market resolves to Yes.',
    rules_secondary: 'Snow is not rain.',
    price_level_structure: 'linear_cent',
    price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
    exchange_index: 0,
    ...overrides,
  };
}

/** A settled market. */
export function settledMarket(result: string, value: string, overrides: Record<string, unknown> = {}) {
  return kalshiMarket({
    status: 'finalized',
    result,
    settlement_value_dollars: value,
    settlement_ts: '2031-03-01T17:37:19.498576Z',
    yes_bid_dollars: '0.0000',
    yes_bid_size_fp: '0.00',
    yes_ask_dollars: '1.0000',
    yes_ask_size_fp: '0.00',
    last_price_dollars: '0.9900',
    ...overrides,
  });
}

export function kalshiEvent(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    event_ticker: 'KXRAIN-31MAR01',
    series_ticker: 'KXRAIN',
    title: 'Where does it rain?',
    sub_title: 'On Mar 1, 2031',
    collateral_return_type: '',
    mutually_exclusive: false,
    category: 'Climate',
    strike_date: '2031-03-01T12:00:00Z',
    settlement_sources: [{ name: 'The gauge', url: 'https://gauge.example/rain' }],
    available_on_brokers: true,
    product_metadata: {},
    last_updated_ts: '2031-02-20T10:00:00Z',
    fee_type_override: null,
    fee_multiplier_override: null,
    exchange_index: 0,
    markets: [kalshiMarket()],
    ...overrides,
  };
}

export function kalshiSeries(overrides: Record<string, unknown> = {}) {
  return {
    ticker: 'KXRAIN',
    frequency: 'daily',
    title: 'Rain',
    category: 'Climate and Weather',
    categories: ['Climate and Weather'],
    tags: ['Rain'],
    settlement_sources: null,
    contract_url: '',
    contract_terms_url: '',
    fee_type: 'quadratic',
    fee_multiplier: 1,
    additional_prohibitions: null,
    ...overrides,
  };
}
