import { BaseArchive } from '../../../../../src/core/documents/baseArchive';
import { DocumentFile } from '../../../../../src/core/documents/documentFile';
import type { KeyValue } from '../../../../../src/core/ports';
import { MemoryKeyValue } from '../../../../support/memoryPorts';
import type { MemoryConfig } from './memoryConfig';
import { TextModel } from './textModel';

export const DOCUMENT_URI = 'fleetwright://lab/parts/p1/config/Acme/rover/main.json';

export function fileOf(
  config: MemoryConfig,
  storage: KeyValue = new MemoryKeyValue(),
): DocumentFile {
  const clock = { now: () => new Date(0) };
  return new DocumentFile(DOCUMENT_URI, config, new BaseArchive(storage), clock);
}

/** An editor that shows `config`, and the file under it. */
export async function openEditor(
  config: MemoryConfig,
  storage?: KeyValue,
): Promise<{ file: DocumentFile; editor: TextModel }> {
  const file = fileOf(config, storage);
  return { file, editor: await new TextModel(file).open() };
}
