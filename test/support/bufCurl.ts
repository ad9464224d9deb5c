import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fromRoot } from '../../scripts/support/paths';

/** Versions of the reflection protocol that buf can use. */
export const REFLECTION_VERSIONS = ['grpc-v1', 'grpc-v1alpha'] as const;

const buf = fromRoot('node_modules/@bufbuild/buf/bin/buf');
const run = promisify(execFile);

/**
 * Calls a gRPC method with `buf curl`, which gets the types of the messages from the service by
 * reflection.
 * @param url address of the method (`http://host:port/package.Service/Method`)
 * @param headers headers such as `authorization: Bearer …`
 * @returns the response as JSON.
 */
export async function callWithBuf(
  url: string,
  request: object,
  {
    reflection,
    headers = [],
  }: { reflection: (typeof REFLECTION_VERSIONS)[number]; headers?: readonly string[] },
): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, [
    buf,
    'curl',
    '--http2-prior-knowledge',
    ...['--protocol', 'grpc', '--reflect-protocol', reflection],
    ...['--data', JSON.stringify(request)],
    ...headers.flatMap((header) => ['--header', header]),
    url,
  ]);
  return JSON.parse(stdout) as Record<string, unknown>;
}
