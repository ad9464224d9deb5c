import { type Node, printParseErrorCode, stripComments } from 'jsonc-parser';
import type { QuerySchema } from '../../schema/querySchema';
import type { Finding } from '../finding';
import { nearestName } from '../../../../base/nearestName';
import { checkGroups } from './checkGroups';
import { checkMqlBounds } from './checkMqlBounds';
import { checkMqlNames } from './checkMqlNames';
import { MQL_STAGES } from './mqlStages';
import { type PartialPipeline, readPipeline, getSpan, type WrittenStage } from './partialPipeline';

/**
 * Reports errors and warnings in a pipeline. If the pipeline can't be parsed, reports only the
 * reason.
 * @param recent true if the query uses recent data only
 */
export function checkMql(text: string, schema: QuerySchema, recent: boolean): Finding[] {
  const pipeline = readPipeline(text);
  const broken = checkForm(text, pipeline);
  if (broken.length > 0) return broken;
  const stages = pipeline.items.flatMap(({ stage }) => stage ?? []);
  const names = stages.map(({ name }) => name);
  if (names.some((name) => !MQL_STAGES.some((known) => known.name === name)))
    return stages.flatMap(checkStageName);
  return [
    ...checkMqlNames(stages, schema),
    ...checkGroups(stages),
    ...checkMqlBounds(text, pipeline, stages, recent),
  ];
}

function checkForm(text: string, { root, errors, items }: PartialPipeline): Finding[] {
  // The text contains only comments.
  if (stripComments(text).trim() === '') return [];
  if (errors.length > 0) {
    // One error can cause the parser to report further errors, so only the first error is reliable.
    const [{ error, offset, length } = { error: 1, offset: 0, length: 0 }] = errors;
    const start = length > 0 ? offset : Math.max(0, Math.min(offset, text.trimEnd().length - 1));
    const subject = printParseErrorCode(error);
    const end = Math.max(start + 1, offset + length);
    return [{ rule: 'notJson', severity: 'error', subject, fixes: [], start, end }];
  }
  if (root === undefined) return [];
  if (root.type !== 'array') return [notPipeline(text, root)];
  return items.flatMap(({ node, stage }) =>
    stage
      ? []
      : [{ rule: 'notStage', severity: 'error', subject: '', fixes: [], ...getSpan(node) }],
  );
}

function notPipeline(text: string, root: Node): Finding {
  const { start, end } = getSpan(root);
  const insert = `[${text.slice(start, end)}]`;
  const fixes =
    root.type === 'object'
      ? [{ kind: 'replace' as const, subject: '[ … ]', edits: [{ start, end, insert }] }]
      : [];
  return { rule: 'notPipeline', severity: 'error', subject: '', fixes, start, end };
}

function checkStageName({ name, nameNode }: WrittenStage): Finding[] {
  const names = MQL_STAGES.map((known) => known.name);
  if (names.includes(name)) return [];
  const suggestion = nearestName(name, names);
  const span = getSpan(nameNode);
  const edits = [{ ...span, insert: JSON.stringify(suggestion) }];
  const fixes =
    suggestion === undefined ? [] : [{ kind: 'replace' as const, subject: suggestion, edits }];
  return [{ rule: 'unknownStage', severity: 'error', subject: name, fixes, ...span }];
}
