import { ByteWriter, type Writer } from 'hyparquet-writer';
import type { ExportFile } from '../../data/export/exportFile';

/** Passes the output of a Parquet writer to a file, one row group at a time. */
export function parquetFile(file: ExportFile): Writer {
  const bytes = new ByteWriter();
  const flush = async (): Promise<void> => {
    const written = new Uint8Array(bytes.getBuffer());
    bytes.index = 0;
    await file.write(written);
  };
  const writer: Writer = bytes;
  writer.flush = flush;
  writer.finish = flush;
  return writer;
}
