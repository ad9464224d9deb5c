import type { ToolSchema } from '../../src/core/agentTools/toolSchema';

/** Returns a value that a tool accepts, with the required members only. Its resources don't exist. */
export function createMinimalInput(schema: ToolSchema): unknown {
  switch (schema.kind) {
    case 'text':
    case 'id':
      return 'missing';
    case 'document':
      return '{}';
    case 'json':
      return {};
    case 'time':
      return '2026-01-31T08:00:00Z';
    case 'choice':
      return schema.values[0];
    case 'number':
    case 'integer':
      return schema.min ?? 1;
    case 'flag':
      return false;
    case 'list':
      return [createMinimalInput(schema.items)];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.members).flatMap(([name, member]) =>
          member.isOptional === true ? [] : [[name, createMinimalInput(member)]],
        ),
      );
  }
}
