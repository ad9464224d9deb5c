import type { Interceptor } from '@connectrpc/connect';
import { clientsOver } from '../../src/core/api/fleetClients';
import { createGrpcWire } from '../../src/core/api/grpcWire';
import { FleetStores } from '../../src/core/stores/fleetStores';
import type { BenchFleet } from './benchFleet';

/** The extension's stores, connected to a running service as its owner. */
export class BenchStores implements Disposable {
  readonly stores: FleetStores;
  private readonly wire: ReturnType<typeof createGrpcWire>;

  constructor({ url, headers }: Pick<BenchFleet, 'url' | 'headers'>) {
    const bearer: Interceptor = (next) => (call) => {
      call.header.set('authorization', headers.authorization);
      return next(call);
    };
    this.wire = createGrpcWire(url);
    this.stores = new FleetStores(clientsOver(this.wire.open([bearer])));
  }

  [Symbol.dispose](): void {
    this.stores.dispose();
    this.wire.dispose();
  }
}
