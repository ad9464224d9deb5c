import type { ExportFile } from './exportFile';
import type { RecordLayout } from './recordLayout';
import type { RecordWriter } from './recordWriter';

/** Text before, between, and after the objects of a file, and the text of an empty file. */
export interface JsonSigns {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  readonly none: string;
}

export const ARRAY_SIGNS: JsonSigns = { begin: '[\n', between: ',\n', end: '\n]\n', none: '[]\n' };
export const LINE_SIGNS: JsonSigns = { begin: '', between: '\n', end: '\n', none: '' };

/** Writes records as JSON, one per line. */
export class JsonWriter<Record> implements RecordWriter<Record> {
  private readonly encoder = new TextEncoder();
  private isEmpty = true;

  constructor(
    private readonly file: ExportFile,
    private readonly layout: Pick<RecordLayout<Record>, 'json'>,
    private readonly signs: JsonSigns,
  ) {}

  async write(records: readonly Record[]): Promise<void> {
    const { begin, between } = this.signs;
    await this.put(this.isEmpty ? begin : between);
    this.isEmpty = false;
    await this.file.write(this.layout.json(records, between));
  }

  async end(): Promise<void> {
    await this.put(this.isEmpty ? this.signs.none : this.signs.end);
  }

  private async put(text: string): Promise<void> {
    await this.file.write(this.encoder.encode(text));
  }
}
