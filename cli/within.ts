/**
 * Waits for an answer, but not for ever. What was asked goes on unheard.
 * @throws Error that `late` makes, once time is up
 */
export async function within<Answer>(ms: number, asked: Promise<Answer>, late: () => Error): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const up = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([asked, up]);
  } finally {
    clearTimeout(timer);
  }
}
