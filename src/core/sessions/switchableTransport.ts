import type { Transport } from '@connectrpc/connect';

/** Lets clients stay as they are while the service behind them moves to another address. */
export class SwitchableTransport implements Transport {
  constructor(private current: Transport) {}

  use(transport: Transport): void {
    this.current = transport;
  }

  unary: Transport['unary'] = (...call) => this.current.unary(...call);

  stream: Transport['stream'] = (...call) => this.current.stream(...call);
}
