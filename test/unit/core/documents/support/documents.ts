import { BaseArchive, type ConfigSource } from '../../../../../src/core/documents/configSource';
import { DocumentFile } from '../../../../../src/core/documents/documentFile';
import type { Clock, KeyValue } from '../../../../../src/core/ports';
import { MemoryKeyValue } from '../../../../support/memoryPorts';
import type { MemoryConfig } from './memoryConfig';
import { ScriptedEditor } from './scriptedEditor';

export const DOCUMENT_URI = 'fleetwright://lab/parts/p1/config/Acme/rover/main.json';

export function createDocumentFile(
  config: ConfigSource,
  storage: KeyValue = new MemoryKeyValue(),
  clock: Clock = { now: () => new Date(0) },
): DocumentFile {
  return new DocumentFile(DOCUMENT_URI, config, new BaseArchive(storage), clock);
}

/** Opens an editor with `config`; returns the editor and its file. */
export async function openEditor(
  config: MemoryConfig,
  storage?: KeyValue,
): Promise<{ file: DocumentFile; editor: ScriptedEditor }> {
  const file = createDocumentFile(config, storage);
  return { file, editor: await new ScriptedEditor(file).open() };
}
