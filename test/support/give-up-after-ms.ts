/**
 * How long a call waits for a server that never answers. A shorter wait can be over before the call has left this
 * process, on a machine that runs other tests beside this one; nothing then reaches the server that is to be hung up on.
 */
export const giveUpAfterMs = 1_000;
