import type { Interceptor } from '@connectrpc/connect';
import { createInterceptedTransport } from '../../src/core/api/interceptedTransport';
import { isReadOperation } from '../../src/core/api/readOnly';
import { type Connection, toConnectionId } from '../../src/core/model/connection';
import { FleetSession } from '../../src/core/sessions/fleetSession';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { bundledProgram } from './bundledProgram';
import { openFleet, type OpenFleet } from './loadedFleet';
import { silentLogger } from './silentLogger';
import { StagedTrainer } from './stagedTrainer';
import { TestClock } from './testClock';

/** The demo fleet in memory, with a session of its owner for agents. */
export class DemoAgents {
  /** Names of the operations that can change something and that reached the transport. */
  readonly writes: string[] = [];
  private readonly session: FleetSession;
  private connection: Connection;

  private constructor(
    readonly fleet: OpenFleet,
    readonly clock: TestClock,
  ) {
    const { apiKeyId: id } = fleet.owner;
    this.connection = {
      id: toConnectionId(id),
      label: 'Test',
      baseUrl: 'http://127.0.0.1:1',
      keyId: id,
      kind: 'cloud',
    };
    const count: Interceptor = (next) => (request) => {
      const { name } = request.method;
      if (!isReadOperation(request.method) && name !== 'Authenticate') this.writes.push(name);
      return next(request);
    };
    this.session = new FleetSession(
      this.connection,
      ({ baseUrl }, readKey) => ({
        ...createInterceptedTransport({
          baseUrl,
          openWire: (interceptors) => fleet.open([...interceptors, count]),
          readKey,
          logger: silentLogger,
          clock,
          sleep: () => Promise.resolve(),
          random: () => 0.5,
        }),
        dispose: () => undefined,
      }),
      () => Promise.resolve(this.key),
    );
  }

  static async open(): Promise<DemoAgents> {
    const clock = new TestClock('2026-03-01T12:00:00.000Z');
    const trainer = new StagedTrainer();
    const queryProgram = await bundledProgram('queryProcess');
    const trainers = { managed: trainer, custom: trainer };
    return new DemoAgents(await openFleet({ clock, demo: true, queryProgram, trainers }), clock);
  }

  get stores(): FleetStores {
    return this.session.stores;
  }

  get key(): { readonly id: string; readonly secret: string } {
    const { apiKeyId: id, apiKey: secret } = this.fleet.owner;
    return { id, secret };
  }

  /** Makes the connection read-only, or allows changes. */
  setReadOnly(isReadOnly: boolean): void {
    this.connection = { ...this.connection, readOnly: isReadOnly ? 'chosen' : undefined };
    this.session.use(this.connection);
  }

  async close(): Promise<void> {
    this.session.dispose();
    await this.fleet.service.close();
  }
}
