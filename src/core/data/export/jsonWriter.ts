import { isoMicros } from '../../model/micros';
import type { Reading } from '../../model/reading';
import type { ExportFile } from './exportFile';

/** What stands before, between and after the objects of a file, and what a file without any has. */
export interface JsonSigns {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  readonly none: string;
}

export const ARRAY_SIGNS: JsonSigns = { begin: '[\n', between: ',\n', end: '\n]\n', none: '[]\n' };
export const LINE_SIGNS: JsonSigns = { begin: '', between: '\n', end: '\n', none: '' };

/** Writes readings as JSON, one object on each line. */
export class JsonWriter {
  private readonly encoder = new TextEncoder();
  private isEmpty = true;

  constructor(
    private readonly file: ExportFile,
    private readonly signs: JsonSigns,
  ) {}

  async write(readings: readonly Reading[]): Promise<void> {
    const { begin, between } = this.signs;
    const lead = this.isEmpty ? begin : between;
    this.isEmpty = false;
    await this.put(lead + readings.map(readingJson).join(between));
  }

  async end(): Promise<void> {
    await this.put(this.isEmpty ? this.signs.none : this.signs.end);
  }

  private async put(text: string): Promise<void> {
    await this.file.write(this.encoder.encode(text));
  }
}

/** A reading with all that is known of it, as JSON on one line. Its payload is as it came. */
export function readingJson({ at, receivedAt, source, tags, data }: Reading): string {
  return JSON.stringify({
    time: isoMicros(at),
    ...(receivedAt !== undefined && { received: isoMicros(receivedAt) }),
    organizationId: source.organizationId,
    locationId: source.locationId,
    machineId: source.machineId,
    machine: source.machineName,
    partId: source.partId,
    part: source.partName,
    componentType: source.componentType,
    component: source.componentName,
    method: source.method,
    tags,
    data,
  });
}
