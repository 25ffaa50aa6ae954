import { laneParameter } from '../../contract/parameters.js';

export const toolLaneParameter = laneParameter.describe(
  'How to pay. "credits": this week’s free report if unused, else credits. "subscription": metered in USD. "byok": the ' +
    'caller’s own model keys and a flat fee in credits. Unset: the subscription if the account has one, else credits.',
);
