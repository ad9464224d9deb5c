import { CsvSerializer } from './csvSerializer';
import type { ExportFile } from './exportFile';
import { padCsv, type ColumnCountRange } from './padCsv';
import type { RecordLayout } from './recordLayout';
import type { RecordWriter } from './recordWriter';

/**
 * Writes CSV without knowing its columns in advance. The first line contains the columns of the
 * first records. If later records add columns, copies the file once at the end, with all columns
 * and the same number of cells in every line.
 */
export class CsvWriter<Record> implements RecordWriter<Record> {
  private readonly text: CsvSerializer<Record>;
  private readonly encoder = new TextEncoder();
  private readonly ranges: ColumnCountRange[] = [];
  private written = 0;

  constructor(
    private readonly file: ExportFile,
    layout: RecordLayout<Record>,
  ) {
    this.text = new CsvSerializer(layout);
  }

  async write(records: readonly Record[]): Promise<void> {
    const lines = this.text.lines(records);
    if (this.ranges.length === 0) await this.put(this.text.header());
    const { width } = this.text;
    if (this.ranges.at(-1)?.width !== width) this.ranges.push({ from: this.written, width });
    await this.put(lines);
  }

  async end(): Promise<void> {
    const [first, ...later] = this.ranges;
    if (!first) await this.put(this.text.header());
    else if (later.length > 0) await this.file.rewrite(first.from, (lines) => this.whole(lines));
  }

  private async *whole(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield this.encoder.encode(this.text.header());
    yield* padCsv(lines, this.ranges, this.text.width);
  }

  private async put(text: string): Promise<void> {
    const bytes = this.encoder.encode(text);
    this.written += bytes.length;
    await this.file.write(bytes);
  }
}
