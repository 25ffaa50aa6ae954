/**
 * The body of a response as UTF-8 text, or null when it is longer than `maxBytes` (after decompression); then
 * the rest is not read.
 * @throws what `fetch` throws when the connection breaks or the time is up.
 */
export async function readCappedText(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
