import { Emitter } from '../../../../../src/base/emitter';
import { FleetError } from '../../../../../src/core/api/errors';
import type {
  ConfigSource,
  ReadRequest,
  Snapshot,
  WriteRequest,
} from '../../../../../src/core/documents/configSource';
import type { Carrier } from '../../../../../src/core/documents/jsonProblems';
import type { VersionToken } from '../../../../../src/core/model/versionToken';

const FIRST_SECOND = 1_800_000_000;

/** A service that keeps one document in memory, and can misbehave as real ones do. */
export class MemoryConfig implements ConfigSource {
  readonly writes: WriteRequest[] = [];
  reads = 0;
  name = 'left arm';
  deleted = false;
  offline = false;
  /** Old services ignore the version that is sent along. */
  honoursVersion = true;
  keepsVersions = true;
  /** Runs once, right before the next write is looked at. */
  beforeWrite: (() => void) | undefined;
  /** What the service makes of a text it is given. */
  normalize: (text: string) => string = (text) => text;
  refusal: FleetError | undefined;

  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private edits = 0;

  constructor(
    private text: string,
    readonly carrier: Carrier = 'text',
  ) {}

  get kept(): string {
    return this.text;
  }

  /** Somebody else edits; this window learns of it only by asking. */
  editElsewhere(text: string): void {
    this.text = text;
    this.edits += 1;
  }

  renameElsewhere(name: string): void {
    this.name = name;
    this.edits += 1;
  }

  /** The stores of this window heard of a change. */
  announce(): void {
    this.changed.fire();
  }

  read({ signal }: ReadRequest): Promise<Snapshot> {
    this.reads += 1;
    return this.answer(signal);
  }

  async write(request: WriteRequest): Promise<Snapshot> {
    const { beforeWrite } = this;
    this.beforeWrite = undefined;
    beforeWrite?.();
    await this.answer();
    if (this.refusal) throw this.refusal;
    if (this.honoursVersion && request.lastKnownVersion !== this.version) {
      throw new FleetError('conflict', 'The part was changed since.');
    }
    this.writes.push(request);
    this.editElsewhere(this.normalize(request.text));
    this.name = request.name;
    return this.answer();
  }

  private get version(): VersionToken | undefined {
    if (!this.keepsVersions) return undefined;
    return `${FIRST_SECOND + this.edits}.000000000` as VersionToken;
  }

  private async answer(signal?: AbortSignal): Promise<Snapshot> {
    await Promise.resolve();
    signal?.throwIfAborted();
    if (this.offline) throw new FleetError('unavailable', 'The service cannot be reached.');
    if (this.deleted) throw new FleetError('notFound', 'There is no such part.');
    return { text: this.text, version: this.version, name: this.name };
  }
}
