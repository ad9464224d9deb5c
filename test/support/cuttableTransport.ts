import { Code, ConnectError, type Transport } from '@connectrpc/connect';

/**
 * A transport that tests can cut: calls in progress fail, and so do all further calls until the
 * transport is restored.
 */
export class CuttableTransport implements Transport {
  private line = new AbortController();
  private isCut = false;
  private code = Code.Unavailable;

  constructor(private readonly inner: Transport) {}

  /** @param code error of the calls. */
  cut(code = Code.Unavailable): void {
    this.isCut = true;
    this.code = code;
    this.line.abort();
    this.line = new AbortController();
  }

  restore(): void {
    this.isCut = false;
  }

  readonly unary: Transport['unary'] = async (...call) => {
    this.requireWhole();
    const answer = await this.inner.unary(...call);
    this.requireWhole();
    return answer;
  };

  readonly stream: Transport['stream'] = async (method, signal, ...rest) => {
    this.requireWhole();
    const { signal: line } = this.line;
    const both = signal ? AbortSignal.any([signal, line]) : line;
    const answer = await this.inner.stream(method, both, ...rest);
    return { ...answer, message: failingWith(answer.message, line) };
  };

  private requireWhole(): void {
    if (this.isCut) throw new ConnectError('the wire is cut', this.code);
  }
}

async function* failingWith<T>(messages: AsyncIterable<T>, line: AbortSignal): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    throw line.aborted ? cutError() : error;
  }
}

function cutError(): ConnectError {
  return new ConnectError('the wire is cut', Code.Unavailable);
}
