import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
} from 'node:http2';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import type { Sleep } from '../base/clock';
import { withoutOwnVariables } from '../builds/ownVariables';
import type { ConfiguredResource, RunMethod, RunTarget } from '../core/modules/run/runMessages';
import { type DescribedApi, formatCallError, ModuleClient } from './moduleClient';
import { ModuleProcess, ModuleRunError } from './moduleProcess';
import { reserveAddresses, toSocketOptions } from './runAddresses';
import { GetMachineStatusResponse_State, RobotService } from '../gen/viam/robot/v1/robot_pb';

const READY_TIMEOUT_MS = 60_000;
const MS_PER_SECOND = 1_000;

/** Settings of a local run. */
export interface RunSettings {
  readonly platform: NodeJS.Platform;
  /** Platform that determines the type of addresses; by default, the current platform. */
  readonly addressing?: NodeJS.Platform | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Path of the bundled program. Its source is in this folder. */
  readonly program: string;
  /** Version that the mock machine server reports. */
  readonly version: string;
  /** Called for each line that the module writes. */
  readonly log: (line: string) => void;
  /** Folder for temporary files; by default, the system's temporary folder. */
  readonly temporaryFolder?: string | undefined;
  readonly sleep: Sleep;
  readonly stopTimeoutMs?: number | undefined;
}

/** Module that runs on this computer with one resource, as it would on a machine. */
export class LocalRun {
  private isAdded = false;

  private constructor(
    private readonly target: RunTarget,
    private readonly resource: string,
    private readonly client: ModuleClient,
    private readonly api: DescribedApi,
    private readonly module: ModuleProcess,
    private readonly end: () => Promise<void>,
  ) {}

  /**
   * Starts a module's entrypoint and waits until the module is ready.
   *
   * @throws ModuleRunError if the module doesn't start; by then, all resources of the run have been
   *   cleaned up
   */
  static async start(
    target: RunTarget,
    settings: RunSettings,
    signal: AbortSignal,
  ): Promise<LocalRun> {
    const undo: (() => Promise<void>)[] = [];
    const end = async (): Promise<void> => {
      for (const step of undo.splice(0).reverse()) await step();
    };
    try {
      const addresses = await reserveAddresses(
        settings.addressing ?? settings.platform,
        settings.temporaryFolder,
      );
      undo.push(() => addresses.remove());
      const server = await serveRobot(addresses.server, settings.version, settings.log);
      undo.push(() => server.close());
      const data = join(addresses.folder, 'data');
      await mkdir(data);
      const module = await ModuleProcess.start({
        ...settings,
        folder: target.folder,
        entrypoint: target.entrypoint,
        address: addresses.module,
        supervisor: settings.program,
        runFolder: addresses.folder,
        environment: {
          ...withoutOwnVariables(settings.environment),
          VIAM_MODULE_DATA: data,
          VIAM_MODULE_ID: target.moduleId,
          VIAM_MODULE_NAME: target.moduleId.replace(':', '_'),
          VIAM_MODULE_ROOT: target.folder,
        },
      });
      undo.push(() => module.stop());
      const client = new ModuleClient(addresses.module);
      const api = await becomeReady({ target, settings, module, client, signal }, addresses.server);
      const resource = target.model.split(':').at(-1) ?? target.model;
      return new LocalRun(target, resource, client, api, module, end);
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** Resolves with a description of how the module exited. */
  get exited(): Promise<string> {
    return this.module.exited;
  }

  get methods(): readonly RunMethod[] {
    return this.api.methods;
  }

  /**
   * Creates the resource, or changes its attributes.
   *
   * @throws ModuleRunError if the module rejects the attributes or can't create the resource
   */
  async configure(attributes: JsonObject, signal: AbortSignal): Promise<ConfiguredResource> {
    const { api, model } = this.target;
    const [namespace = '', type = ''] = api.split(':');
    const config = { name: this.resource, api, model, namespace, type, attributes };
    const { modules } = this.client;
    const dependencies = await modules
      .validateConfig({ config }, { signal })
      .then((answer) => answer.dependencies)
      .catch((error: unknown) => {
        if (signal.aborted) throw new ModuleRunError({ kind: 'canceled' });
        if (ConnectError.from(error).code === Code.Unimplemented) return [];
        throw new ModuleRunError({ kind: 'attributesRejected', reason: formatCallError(error) });
      });
    try {
      const change = { config, dependencies };
      if (this.isAdded) await modules.reconfigureResource(change, { signal });
      else await modules.addResource(change, { signal });
      this.isAdded = true;
    } catch (error) {
      if (signal.aborted) throw new ModuleRunError({ kind: 'canceled' });
      throw new ModuleRunError({ kind: 'resourceFailed', reason: formatCallError(error) });
    }
    return { dependencies };
  }

  /**
   * Calls a method on the resource.
   * @throws ModuleRunError if the call fails
   */
  call(method: string, request: JsonObject, signal: AbortSignal): Promise<JsonValue> {
    return this.api.call(method, this.resource, request, signal);
  }

  /** Stops the module and all processes that it has started, and deletes the run's files. */
  stop(): Promise<void> {
    return this.end();
  }
}

interface StartingModule {
  readonly target: RunTarget;
  readonly settings: RunSettings;
  readonly module: ModuleProcess;
  readonly client: ModuleClient;
  readonly signal: AbortSignal;
}

/** Resolves when the module is ready; throws if it exits first or the timeout expires. */
async function becomeReady(
  { target, settings, module, client, signal }: StartingModule,
  serverAddress: string,
): Promise<DescribedApi> {
  const { api, model } = target;
  const over = new AbortController();
  const timeoutAbort = new AbortController();
  void settings
    .sleep(READY_TIMEOUT_MS, timeoutAbort.signal)
    .then(() => {
      const { lastLines } = module;
      const seconds = READY_TIMEOUT_MS / MS_PER_SECOND;
      over.abort(new ModuleRunError({ kind: 'notReady', seconds, lastLines }));
    })
    .catch(() => undefined);
  void module.exited.then((exit) => {
    const { lastLines } = module;
    over.abort(new ModuleRunError({ kind: 'exitedEarly', exit, lastLines }));
  });
  const cancel = (): void => over.abort(new ModuleRunError({ kind: 'canceled' }));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  try {
    const handlers = await client.waitUntilReady(serverAddress, over.signal);
    const triplet = api.split(':');
    const handler = handlers.find(({ subtype, models }) => {
      const { namespace, type, subtype: name } = subtype?.subtype ?? {};
      return triplet.join() === [namespace, type, name].join() && models.includes(model);
    });
    const service = handler?.subtype?.protoService;
    if (service === undefined) {
      const served = handlers.flatMap(({ models }) => models);
      throw new ModuleRunError({ kind: 'modelMissing', model, served });
    }
    return await client.describe(api, service, over.signal);
  } finally {
    timeoutAbort.abort();
    signal.removeEventListener('abort', cancel);
  }
}

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
async function serveRobot(
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
      routes,
      connect: false,
      grpcWeb: false,
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
