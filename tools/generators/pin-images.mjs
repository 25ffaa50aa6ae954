import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes the digest of each image behind its tag: a tag can be moved to another image, a digest cannot. Asks the
 * registries through Docker, and follows the tag again where a digest stands already. `--verify` asks nobody, and fails
 * if an image has no digest.
 */
const files = ['deploy/Dockerfile', 'deploy/compose.yaml'];
/** An image with a tag. Our own image and the stages of the Dockerfile have none. */
const reference = /^(FROM |\s+image: )([\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm;

const texts = files.map(path => ({ path, text: readFileSync(path, 'utf8') }));

if (process.argv.includes('--verify')) {
  const unpinned = texts.flatMap(({ text }) =>
    [...text.matchAll(reference)]
      .filter(([, , , digest]) => digest === undefined)
      .map(([, , image]) => image),
  );
  if (unpinned.length > 0) {
    process.stderr.write(
      `No digest: ${unpinned.join(', ')}. Run \`npm run images\` where Docker and a network are.\n`,
    );
    process.exit(1);
  }
} else {
  const digests = new Map();
  for (const { text } of texts)
    for (const [, , image] of text.matchAll(reference)) digests.set(image, digestOf(image));
  for (const { path, text } of texts) {
    writeFileSync(
      path,
      text.replaceAll(reference, (_, before, image) => `${before}${image}@${digests.get(image)}`),
    );
  }
  for (const [image, digest] of digests) process.stdout.write(`${image} ${digest}\n`);
}

/** Of the list of all platforms, so that one digest serves every machine. */
function digestOf(image) {
  const format = '{{.Manifest.Digest}}';
  const args = ['buildx', 'imagetools', 'inspect', '--format', format, image];
  const digest = execFileSync('docker', args, { encoding: 'utf8' }).trim();
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`Docker names no digest of ${image}: ${digest}`);
  return digest;
}
