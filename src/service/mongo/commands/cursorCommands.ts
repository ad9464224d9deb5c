import { type Document, Long } from 'bson';
import { checkFields, numberField, sessionKey } from '../commandFields';
import type { Cursors } from '../cursors';
import { MongoError } from '../mongoError';
import type { Commands, UserCall } from './command';
import { batchReply, leaseBatchBytes } from './cursorQueries';
import { requireReadings } from './requireReadings';

/** Returns the commands for open cursors. */
export function cursorCommands(cursors: Cursors): Commands {
  return {
    async getMore({ user, state, request }) {
      requireReadings(request, 'collection');
      const { fields } = request;
      checkFields('getMore', fields, { read: ['collection', 'batchSize'], ignored: ['term'] });
      const id = cursorId(fields.getMore);
      const { documents, isLast } = await cursors.next(user.organizationId, id, {
        documents: numberField(fields, 'batchSize', 0) || Infinity,
        bytes: leaseBatchBytes(state.memory),
      });
      const reply = batchReply('nextBatch', documents, isLast ? 0 : id);
      if (!state.memory.extendTo(reply.byteLength)) {
        // The documents of this batch can't be returned again, because another getMore would return
        // the documents after them.
        await cursors.kill(user.organizationId, id);
        throw new MongoError(
          'ExceededMemoryLimit',
          'the cursor was closed because too many long responses were waiting for their clients: run the query again, or select fewer fields',
        );
      }
      return reply;
    },
    killCursors: (call) => killCursors(cursors, call),
    async endSessions({ user, request: { fields } }) {
      const sessions = listField(fields, 'endSessions').filter((id) => id instanceof Uint8Array);
      await cursors.closeForOrganization(user.organizationId, new Set(sessions.map(sessionKey)));
      return {};
    },
  };
}

async function killCursors(cursors: Cursors, { user, request }: UserCall): Promise<Document> {
  requireReadings(request);
  const cursorsKilled: Long[] = [];
  const cursorsNotFound: Long[] = [];
  for (const value of listField(request.fields, 'cursors')) {
    const id = cursorId(value);
    const list = (await cursors.kill(user.organizationId, id)) ? cursorsKilled : cursorsNotFound;
    list.push(Long.fromNumber(id));
  }
  return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
}

function listField(fields: Document, name: string): unknown[] {
  const value: unknown = fields[name];
  if (!Array.isArray(value)) {
    throw new MongoError('TypeMismatch', `"${name}" must be an array`);
  }
  return value;
}

/** Parses a cursor ID. Numbers that JavaScript can't represent exactly are never cursor IDs. */
function cursorId(value: unknown): number {
  return typeof value === 'number' ? value : Number(value);
}
