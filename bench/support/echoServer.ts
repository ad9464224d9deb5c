import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { fromBinary } from '@bufbuild/protobuf';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { GetRobotPartResponseSchema } from '../../src/gen/viam/app/v1/machine_pb';

/**
 * Runs a server to measure calls without the fleet service. The server is connect-node in its
 * documented setup. It responds to every GetRobotPart with the message in a file given on the
 * command line, and keeps log tails open without sending lines.
 */
async function main(file: string): Promise<void> {
  const answer = fromBinary(GetRobotPartResponseSchema, readFileSync(file));
  const server = createServer(
    connectNodeAdapter({
      routes: (router) =>
        router.service(AppService, {
          getRobotPart: () => answer,
          async *tailRobotPartLogs(_request, { signal }) {
            yield { logs: [] };
            await once(signal, 'abort');
          },
        }),
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
}

void main(process.argv[2] ?? '');
