import { Emitter } from '../../../../../src/base/emitter';
import { FleetError } from '../../../../../src/core/api/errors';
import type {
  ConfigSource,
  Snapshot,
  WriteRequest,
} from '../../../../../src/core/documents/configSource';
import type { WireFormat } from '../../../../../src/core/documents/jsonProblems';
import type { VersionToken } from '../../../../../src/core/model/timestamp';

const FIRST_SECOND = 1_800_000_000;

/** A service that stores one document in memory and can fail in the same ways as real services. */
export class MemoryConfig implements ConfigSource {
  readonly writes: WriteRequest[] = [];
  reads = 0;
  name = 'left arm';
  deleted = false;
  offline = false;
  /** True to apply writes but respond to them with an error. */
  losesAnswer = false;
  /** False to simulate an old service, which ignores the version in a request. */
  honorsVersion = true;
  hasVersions = true;
  /** Runs once, immediately before the next write is applied. */
  beforeWrite: (() => void) | undefined;
  /** Called before each write is applied or rejected. */
  onWillWrite: (() => void) | undefined;
  /** Called with each write that is applied. */
  onDidWrite: ((replaced: string, stored: string) => void) | undefined;
  /** Called with the result of each read. */
  onDidRead: ((stored: string) => void) | undefined;
  /** Called with the text of each write without a response, whether or not it was applied. */
  onDidLoseWrite: ((text: string) => void) | undefined;
  /** Returns the text as the service stores it. */
  normalize: (text: string) => string = (text) => text;
  rejection: FleetError | undefined;

  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private edits = 0;
  private gate: Promise<void> | undefined;

  constructor(
    private text: string,
    readonly wireFormat: WireFormat = 'text',
  ) {}

  get stored(): string {
    return this.text;
  }

  /** Applies an edit by another client, which this window notices only at its next read. */
  editElsewhere(text: string): void {
    this.text = text;
    this.edits += 1;
  }

  renameElsewhere(name: string): void {
    this.name = name;
    this.edits += 1;
  }

  /** Notifies this window's stores of a change. */
  announce(): void {
    this.changed.fire();
  }

  /**
   * Starts to delay responses: calls are applied immediately, but their responses are sent only
   * when the returned function is called.
   * @returns a function that sends the delayed responses
   */
  holdAnswers(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.gate = promise;
    return () => {
      if (this.gate === promise) this.gate = undefined;
      resolve(undefined);
    };
  }

  /** Responds to further calls immediately; responses that are already delayed stay delayed. */
  stopDelayingResponses(): void {
    this.gate = undefined;
  }

  async read(signal?: AbortSignal): Promise<Snapshot> {
    this.reads += 1;
    const { gate } = this;
    const answer = await this.respond(signal);
    this.onDidRead?.(answer.text);
    await gate;
    return answer;
  }

  async write(request: WriteRequest): Promise<Snapshot | undefined> {
    const { beforeWrite } = this;
    this.beforeWrite = undefined;
    beforeWrite?.();
    this.onWillWrite?.();
    const { gate } = this;
    if (this.offline || this.losesAnswer) this.onDidLoseWrite?.(request.text);
    await this.respond();
    if (this.rejection) throw this.rejection;
    const { lastKnownVersion: known } = request;
    if (this.honorsVersion && known !== undefined && known !== this.version) {
      throw new FleetError('conflict', 'The part was changed since.');
    }
    this.writes.push(request);
    const replaced = this.text;
    this.editElsewhere(this.normalize(request.text));
    this.name = request.name;
    this.onDidWrite?.(replaced, this.text);
    if (this.losesAnswer) throw new FleetError('unavailable', 'The connection was lost.');
    const answer = this.snapshot();
    await gate;
    return this.hasVersions ? answer : undefined;
  }

  private get version(): VersionToken | undefined {
    if (!this.hasVersions) return undefined;
    return `${FIRST_SECOND + this.edits}.000000000` as VersionToken;
  }

  private async respond(signal?: AbortSignal): Promise<Snapshot> {
    await Promise.resolve();
    signal?.throwIfAborted();
    if (this.offline) throw new FleetError('unavailable', 'The service cannot be reached.');
    if (this.deleted) throw new FleetError('notFound', 'There is no such part.');
    return this.snapshot();
  }

  private snapshot(): Snapshot {
    return { text: this.text, version: this.version, name: this.name };
  }
}
