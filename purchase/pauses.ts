/**
 * How often something may be tried, such as a password. The first tries are free. After each further one the next has
 * to wait, twice as long each time, up to a bound: an owner can never be locked out for longer than that.
 */
export interface PausePolicy {
  readonly freeTries: number;
  readonly firstPauseSeconds: number;
  readonly longestPauseSeconds: number;
  /** Counting begins again so long after the first try. */
  readonly forgottenAfterSeconds: number;
}

/** How long the next try has to wait after so many. */
export function pauseSecondsAfter(policy: PausePolicy, tries: number): number {
  if (tries < policy.freeTries) return 0;
  return Math.min(policy.longestPauseSeconds, policy.firstPauseSeconds * 2 ** (tries - policy.freeTries));
}

/** What is throttled at the built-in accounts. */
export const attemptKinds = ['sign_in', 'sign_up', 'password_reset', 'verification', 'link'] as const;
export type AttemptKind = (typeof attemptKinds)[number];

/** The pauses by network, and by the account that is named. Null: nothing names an account. */
export interface AttemptPolicy {
  readonly address: PausePolicy;
  readonly account: PausePolicy | null;
  /** Whether only failures count. Otherwise each try does, because each costs mail or a new account. */
  readonly failuresOnly: boolean;
}

export type AttemptPolicies = Readonly<Record<AttemptKind, AttemptPolicy>>;

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
const quarterHourSeconds = 900;

/** One mail box gets few mails, however many ask for them. */
const mails: AttemptPolicy = {
  address: {
    freeTries: 10,
    firstPauseSeconds: 30,
    longestPauseSeconds: quarterHourSeconds,
    forgottenAfterSeconds: hourSeconds,
  },
  account: {
    freeTries: 3,
    firstPauseSeconds: 60,
    longestPauseSeconds: quarterHourSeconds,
    forgottenAfterSeconds: daySeconds,
  },
  failuresOnly: false,
};

/** This allows about a hundred passwords a day for one account, and about a thousand from one network. */
const passwords: AttemptPolicy = {
  address: {
    freeTries: 30,
    firstPauseSeconds: 10,
    longestPauseSeconds: quarterHourSeconds,
    forgottenAfterSeconds: hourSeconds,
  },
  account: {
    freeTries: 5,
    firstPauseSeconds: 10,
    longestPauseSeconds: quarterHourSeconds,
    forgottenAfterSeconds: daySeconds,
  },
  failuresOnly: true,
};

export const attemptPolicies: AttemptPolicies = {
  sign_in: passwords,
  // A school or an office signs up together. Afterwards about one account an hour.
  sign_up: {
    address: {
      freeTries: 120,
      firstPauseSeconds: 60,
      longestPauseSeconds: hourSeconds,
      forgottenAfterSeconds: daySeconds,
    },
    account: mails.account,
    failuresOnly: false,
  },
  password_reset: mails,
  verification: mails,
  // Links of mails, with a token that cannot be guessed.
  link: { address: passwords.address, account: null, failuresOnly: true },
};
