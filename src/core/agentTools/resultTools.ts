import { FleetError } from '../api/errors';
import { type AgentTool, readTool } from './agentTool';
import { MAX_ANSWER_BYTES, measure } from './toolAnswer';
import { id, integer, object, optional, text } from './toolSchema';

/** Maximum number of characters in one answer. */
const MAX_CHUNK_LENGTH = 24_000;

const readResult = readTool({
  name: 'fleetwright_read_result',
  title: 'Read Result',
  description: `Reads the complete result of an earlier call whose answer was limited, as JSON text in chunks of at most ${MAX_CHUNK_LENGTH} characters. Results expire after 15 minutes and have at most 1 MiB.`,
  input: object({
    result: id('limits.result of the earlier answer.'),
    offset: optional(integer('Number of characters to skip.', { min: 0, max: 10_000_000 })),
  }),
  output: object({
    tool: id('Tool that was called.'),
    // Redacting a chunk again could make the JSON invalid.
    json: { ...text('Chunk of the JSON text.'), isSafe: true },
    length: integer('Length of the JSON text in characters.'),
    nextOffset: optional(integer('offset of the next chunk; absent for the last one.')),
  }),
  run: ({ result, offset = 0 }, { results }) => {
    const stored = results.get(result);
    if (!stored) {
      throw new FleetError(
        'notFound',
        'The result has expired or never existed. Make the earlier call again.',
      );
    }
    const { tool, content } = stored;
    const { length } = content;
    const rest = measure({ tool, json: '', length, nextOffset: length });
    const end = findChunkEnd(content, offset, MAX_ANSWER_BYTES - rest);
    const nextOffset = end < length ? end : undefined;
    return Promise.resolve({
      data: { tool, json: content.slice(offset, end), length, nextOffset },
    });
  },
});

/**
 * Returns the end of the longest chunk that fits into an answer without being shortened. A surrogate
 * pair isn't split.
 */
function findChunkEnd(content: string, start: number, maxBytes: number): number {
  let end = start;
  let size = 0;
  for (const character of content.slice(start, start + MAX_CHUNK_LENGTH + 1)) {
    size += measure(character) - measure('');
    const next = end + character.length;
    if (size > maxBytes || next - start > MAX_CHUNK_LENGTH) break;
    end = next;
  }
  return end;
}

export const resultTools: readonly AgentTool[] = [readResult];
