import type { Transport } from '@connectrpc/connect';

/** Lets clients stay unchanged while the service behind them moves to another URL. */
export class SwitchableTransport implements Transport {
  constructor(private current: Transport) {}

  use(transport: Transport): void {
    this.current = transport;
  }

  unary: Transport['unary'] = (...call) => this.current.unary(...call);

  stream: Transport['stream'] = (...call) => this.current.stream(...call);
}
