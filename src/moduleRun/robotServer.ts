import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
} from 'node:http2';
import { Code, type ConnectRouter } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { GetMachineStatusResponse_State, RobotService } from '../gen/viam/robot/v1/robot_pb';
import { toSocketOptions } from './runAddresses';

/** Minimal mock of a machine's server. */
export interface RobotServer {
  close(): Promise<void>;
}

/**
 * Serves the calls that modules make to a machine when they start. Provides a version and the log,
 * but no resources. Other calls fail as unimplemented.
 *
 * @param log receives the log lines of modules and the names of unimplemented calls
 */
export async function serveRobot(
  address: string,
  version: string,
  log: (line: string) => void,
): Promise<RobotServer> {
  const routes = (router: ConnectRouter): void => {
    router.service(RobotService, {
      resourceNames: () => ({}),
      getVersion: () => ({ platform: 'fleetwright', version }),
      getMachineStatus: () => ({ state: GetMachineStatusResponse_State.RUNNING }),
      log: ({ logs }) => {
        for (const { level, loggerName, message } of logs) {
          log([level.toUpperCase(), loggerName, message].filter(Boolean).join(' '));
        }
        return {};
      },
    });
  };
  const fallback = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    const method = request.url.slice(1);
    log(`A local run does not implement ${method}, which the module called.`);
    response.writeHead(200, {
      'content-type': 'application/grpc',
      'grpc-status': String(Code.Unimplemented),
      'grpc-message': encodeURIComponent(`A local run does not implement ${method}.`),
    });
    response.end();
  };
  const server = createServer(
    connectNodeAdapter({
      ...{ routes, connect: false, grpcWeb: false },
      fallback: (request, response) =>
        fallback(request as Http2ServerRequest, response as Http2ServerResponse),
    }),
  );
  const sessions = new Set<Http2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(toSocketOptions(address), resolve);
  });
  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}
