import { FleetError } from '../api/errors';
import { type AgentTool, readTool } from './agentTool';
import { id, integer, object, optional, text } from './toolSchema';

/** Number of characters in one answer. Escaped, they fit into the size of an answer. */
const CHUNK_LENGTH = 24_000;

const readResult = readTool({
  name: 'fleetwright_read_result',
  title: 'Read Result',
  description: `Reads the complete result of an earlier call whose answer was limited, as JSON text in chunks of ${CHUNK_LENGTH} characters. Results expire after 15 minutes and have at most 1 MiB.`,
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
    const end = offset + CHUNK_LENGTH;
    return Promise.resolve({
      data: {
        tool,
        json: content.slice(offset, end),
        length: content.length,
        nextOffset: end < content.length ? end : undefined,
      },
    });
  },
});

export const resultTools: readonly AgentTool[] = [readResult];
