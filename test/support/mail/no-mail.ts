/** The part of the account library's options that concerns mail, where none is sent. */
export const noMail = {
  mailer: { send: () => undefined },
  addressVerified: async () => undefined,
};
