import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { callOnce, connectHttp2, envelope } from './unaryLoad';

const PAUSE_MS = 20;

/**
 * Repeatedly calls a service and prints the milliseconds of each call on a line, as a separate
 * process that is independent of its parent's load. Exits when it is killed, or when a call fails.
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
