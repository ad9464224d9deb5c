import type { Transport } from '@connectrpc/connect';

/** Transport that remains the same for clients when the service moves to a different URL. */
export class SwitchableTransport implements Transport {
  constructor(private current: Transport) {}

  use(transport: Transport): void {
    this.current = transport;
  }

  unary: Transport['unary'] = (...call) => this.current.unary(...call);

  stream: Transport['stream'] = (...call) => this.current.stream(...call);
}
