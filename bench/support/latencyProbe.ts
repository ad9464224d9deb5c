import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { callOnce, connectHttp2, envelope } from './unaryLoad';

const PAUSE_MS = 20;

/**
 * Calls a service repeatedly and prints the duration of each call, in milliseconds, on a separate
 * line. Runs as a separate process, so that the parent's load doesn't affect the measurements.
 * Exits when it is killed or a call fails.
 */
async function main(url: string, authorization: string): Promise<void> {
  const session = connectHttp2(url);
  const { listOrganizations } = AppService.method;
  const call = { path: `/${AppService.typeName}/${listOrganizations.name}`, authorization };
  for (;;) {
    const start = performance.now();
    await callOnce(session, call, envelope(new Uint8Array()));
    console.log((performance.now() - start).toFixed(2));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const [url = '', authorization = ''] = process.argv.slice(2);
main(url, authorization).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
