import type { Dispute, MeterEvent, Payment, Session, Subscription } from './stripe-objects.js';
import { StripeRefusal } from './stripe-refusal.js';

/** Stripe's state: customers, sessions, payments, subscriptions and metered usage, by id. */
export class StripeBooks {
  readonly customers: string[] = [];
  readonly sessions = new Map<string, Session>();
  readonly payments = new Map<string, Payment>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly meters: { id: string; event_name: string; status: string }[] = [];
  readonly prices: { id: string; lookup_key: string; meter: string }[] = [];
  readonly meterEvents = new Map<string, MeterEvent>();
  private count = 0;

  /** Executes a request. @returns the response body */
  handle(method: string, path: string, form: URLSearchParams): unknown {
    const [collection, id] = splitPath(path);
    switch (`${method} ${collection}`) {
      case 'POST customers':
        return this.createCustomer();
      case 'POST checkout/sessions':
        return this.createSession(form);
      case 'GET checkout/sessions':
        if (id !== '') return this.foundSession(id);
        return list([...this.sessions.values()].filter(has('payment_intent', form)));
      case 'GET subscriptions':
        return this.found(id);
      case 'POST subscriptions':
        return Object.assign(this.found(id), {
          cancel_at_period_end: form.get('cancel_at_period_end') === 'true',
        });
      case 'DELETE subscriptions':
        return Object.assign(this.found(id), { status: 'canceled', ended_at: seconds(new Date()) });
      case 'GET charges':
        return list([...this.payments.values()].filter(has('payment_intent', form)));
      case 'GET disputes':
        return list(
          [...this.payments.values()].filter(has('payment_intent', form)).flatMap(paid => paid.disputes),
        );
      case 'GET billing/meters':
        return path.endsWith('/event_summaries') ? list(this.summaries(form)) : list(this.meters);
      case 'POST billing_portal/sessions':
        return this.openPortal(form);
      case 'POST billing/meters':
        return this.createMeter(form.get('event_name') ?? '');
      case 'GET prices':
        return list(this.prices.filter(price => price.lookup_key === form.get('lookup_keys[0]')));
      case 'POST prices':
        return this.createPrice(form);
      case 'POST billing/meter_events':
        return this.meter(form);
      case 'POST billing/meter_event_adjustments':
        return this.adjust(form.get('cancel[identifier]') ?? '');
      default:
        throw new StripeRefusal(
          404,
          'invalid_request_error',
          `Unrecognized request URL (${method}: ${path}).`,
        );
    }
  }

  /** Nobody paid a session in time. */
  expire(sessionId: string): void {
    this.foundSession(sessionId).status = 'expired';
  }

  /** The customer pays a session. @returns the session, as an event contains it. */
  pay(sessionId: string, payment_status = 'paid'): Session {
    const session = this.foundSession(sessionId);
    session.status = 'complete';
    session.payment_status = payment_status;
    session.payment_intent ??= this.newId('pi');
    const { payment_intent, customer, amount_total } = session;
    if (!this.payments.has(payment_intent)) this.charge({ payment_intent, customer, cents: amount_total });
    return session;
  }

  /** The card of a customer pays an invoice of a subscription. */
  payInvoice(customer: string, cents: number): Payment {
    return this.charge({ payment_intent: this.newId('pi'), customer, cents });
  }

  /** The payer disputes a payment. @returns the dispute, as an event contains it */
  dispute({ payment_intent, amount_captured, currency, disputes }: Payment): Dispute {
    const dispute = {
      id: this.newId('dp'),
      payment_intent,
      amount: amount_captured,
      currency,
      status: 'needs_response',
    };
    disputes.push(dispute);
    return dispute;
  }

  payment(paymentIntent: string | null): Payment {
    const payment = this.payments.get(paymentIntent ?? '');
    if (payment === undefined) throw new Error(`no payment ${paymentIntent}`);
    return payment;
  }

  /** The customer completes a subscription session. */
  subscribe(sessionId: string, period: { from: Date; to: Date }): Subscription {
    const session = this.sessions.get(sessionId);
    if (session?.customer == null) throw new Error(`no session ${sessionId} of a customer`);
    const subscription: Subscription = {
      id: this.newId('sub'),
      object: 'subscription',
      customer: session.customer,
      status: 'active',
      cancel_at_period_end: false,
      cancel_at: null,
      ended_at: null,
      items: {
        object: 'list',
        data: [{ current_period_start: seconds(period.from), current_period_end: seconds(period.to) }],
      },
    };
    session.subscription = subscription.id;
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  private charge(paid: { payment_intent: string; customer: string | null; cents: number }): Payment {
    const payment: Payment = {
      id: this.newId('ch'),
      object: 'charge',
      payment_intent: paid.payment_intent,
      customer: paid.customer,
      amount_captured: paid.cents,
      currency: 'usd',
      amount_refunded: 0,
      disputes: [],
    };
    this.payments.set(paid.payment_intent, payment);
    return payment;
  }

  private createCustomer() {
    const id = this.newId('cus');
    this.customers.push(id);
    return { id, object: 'customer' };
  }

  private createSession(form: URLSearchParams): Session {
    const id = this.newId('cs_test');
    const session: Session = {
      id,
      object: 'checkout.session',
      mode: form.get('mode') ?? '',
      url: `https://checkout.stripe.test/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      subscription: null,
      customer: form.get('customer'),
      client_reference_id: form.get('client_reference_id'),
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? 'usd',
      metadata: { checkout_id: form.get('metadata[checkout_id]') },
      form: Object.fromEntries(form),
    };
    this.sessions.set(id, session);
    return session;
  }

  private createMeter(event_name: string) {
    if (this.meters.some(meter => meter.event_name === event_name)) {
      throw new StripeRefusal(400, 'invalid_request_error', 'There is a meter of this name.');
    }
    const meter = { id: this.newId('mtr'), object: 'billing.meter', event_name, status: 'active' };
    this.meters.push(meter);
    return meter;
  }

  private createPrice(form: URLSearchParams) {
    const lookup_key = form.get('lookup_key') ?? '';
    if (this.prices.some(price => price.lookup_key === lookup_key)) {
      throw new StripeRefusal(400, 'invalid_request_error', 'A price already uses this lookup key.');
    }
    const price = {
      id: this.newId('price'),
      object: 'price',
      lookup_key,
      meter: form.get('recurring[meter]') ?? '',
    };
    this.prices.push(price);
    return price;
  }

  private meter(form: URLSearchParams): MeterEvent {
    const identifier = form.get('identifier') ?? '';
    const customer = form.get('payload[stripe_customer_id]') ?? '';
    if (this.meterEvents.has(identifier)) {
      const detail = `An event already exists with identifier ${identifier}.`;
      throw new StripeRefusal(400, 'invalid_request_error', detail);
    }
    const event: MeterEvent = {
      identifier,
      event_name: form.get('event_name') ?? '',
      customer,
      value: form.get('payload[value]') ?? '',
      timestamp: Number(form.get('timestamp')),
      cancelled: false,
    };
    this.meterEvents.set(identifier, event);
    return event;
  }

  private adjust(identifier: string) {
    const event = this.meterEvents.get(identifier);
    if (event === undefined) {
      throw new StripeRefusal(400, 'invalid_request_error', 'There is no such event to cancel.');
    }
    if (event.cancelled) {
      throw new StripeRefusal(400, 'invalid_request_error', 'The event was already cancelled.');
    }
    event.cancelled = true;
    return { object: 'billing.meter_event_adjustment', status: 'pending', cancel: { identifier } };
  }

  /** Sums by UTC day, or over the whole range; nothing where there are no events. */
  private summaries(form: URLSearchParams) {
    const [from, to] = [Number(form.get('start_time')), Number(form.get('end_time'))];
    const step = form.get('value_grouping_window') === 'day' ? 86_400 : to - from;
    const sums = new Map<number, number>();
    for (const { customer, timestamp, value, cancelled } of this.meterEvents.values()) {
      if (cancelled || customer !== form.get('customer') || timestamp < from || timestamp >= to) continue;
      const start = from + Math.floor((timestamp - from) / step) * step;
      sums.set(start, (sums.get(start) ?? 0) + Number(value));
    }
    return [...sums].map(([start_time, aggregated_value]) => ({
      id: `mtrusg_${start_time}`,
      object: 'billing.meter_event_summary',
      start_time,
      end_time: start_time + step,
      aggregated_value,
    }));
  }

  private openPortal(form: URLSearchParams) {
    const id = this.newId('bps');
    const customer = form.get('customer') ?? '';
    const return_url = form.get('return_url');
    const url = `https://billing.stripe.test/${customer}/${id}`;
    return { id, object: 'billing_portal.session', customer, return_url, url };
  }

  private found(id: string): Subscription {
    return this.subscriptions.get(id) ?? missing('subscription', id);
  }

  private foundSession(id: string): Session {
    return this.sessions.get(id) ?? missing('checkout.session', id);
  }

  private newId(prefix: string): string {
    this.count += 1;
    return `${prefix}_${this.count}`;
  }
}

function missing(object: string, id: string): never {
  throw new StripeRefusal(404, 'invalid_request_error', `No such ${object}: '${id}'`, 'resource_missing');
}

function splitPath(path: string): [string, string] {
  const [, collection = '', id = ''] =
    /^\/v1\/((?:billing|billing_portal|checkout)\/\w+|\w+)(?:\/(\w+))?(?:\/\w+)?$/.exec(path) ?? [];
  return [collection, id];
}

function has(field: 'payment_intent', form: URLSearchParams) {
  return (found: { payment_intent: string | null }) => found.payment_intent === form.get(field);
}

function list(data: readonly unknown[]) {
  return { object: 'list', data, has_more: false, url: '/v1' };
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000);
}
