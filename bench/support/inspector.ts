import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly chunk?: string };
  readonly result?: object;
  readonly error?: { readonly message: string };
}

/** Connection to the inspector of a Node.js process that was started with `--inspect`. */
export class Inspector implements Disposable {
  private last = 0;
  private readonly pending = new Map<number, PromiseWithResolvers<object>>();
  private onChunk: ((chunk: string) => void) | undefined;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) =>
      this.receive(JSON.parse(String(data)) as Message),
    );
    socket.addEventListener('close', () => {
      for (const { reject } of this.pending.values()) reject(new Error('The inspector closed.'));
      this.pending.clear();
    });
  }

  /** @param log output of the process, which contains the address of its inspector */
  static async connect(log: string): Promise<Inspector> {
    const [, url] = /Debugger listening on (ws:\S+)/.exec(log) ?? [];
    if (url === undefined) throw new Error('The process has no inspector.');
    const socket = new WebSocket(url);
    await once(socket, 'open');
    return new Inspector(socket);
  }

  /** Returns the used heap after a garbage collection, in bytes. */
  async measureHeap(): Promise<number> {
    await this.call('HeapProfiler.collectGarbage');
    const { usedSize } = (await this.call('Runtime.getHeapUsage')) as { usedSize: number };
    return usedSize;
  }

  /** Writes a heap snapshot, which blocks the process for some seconds. */
  async writeSnapshot(file: string): Promise<void> {
    const output = createWriteStream(file);
    this.onChunk = (chunk) => output.write(chunk);
    await this.call('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    this.onChunk = undefined;
    output.end();
    await once(output, 'close');
  }

  [Symbol.dispose](): void {
    this.socket.close();
  }

  private call(method: string, params: object = {}): Promise<object> {
    this.last += 1;
    const answer = Promise.withResolvers<object>();
    this.pending.set(this.last, answer);
    this.socket.send(JSON.stringify({ id: this.last, method, params }));
    return answer.promise;
  }

  private receive({ id, method, params, result, error }: Message): void {
    if (method === 'HeapProfiler.addHeapSnapshotChunk') this.onChunk?.(params?.chunk ?? '');
    if (id === undefined) return;
    const answer = this.pending.get(id);
    this.pending.delete(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result ?? {});
  }
}
