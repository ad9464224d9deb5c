import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { TextSpan } from '../model/query';
import { QueryError } from './queryError';

const EXAMPLE = '[{ "$limit": 10 }]';

/** Meanings of the parser's error codes. */
const SYNTAX: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not a valid JSON value; enclose text in double quotes',
  InvalidNumberFormat: 'this is not a valid number',
  PropertyNameExpected: 'a name in double quotes is missing here',
  ValueExpected: 'a value is missing here',
  ColonExpected: 'a colon is missing here',
  CommaExpected: 'a comma is missing here',
  CloseBraceExpected: 'a } is missing here',
  CloseBracketExpected: 'a ] is missing here',
  EndOfFileExpected: 'the pipeline ends before this',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a closing double quote is missing',
  UnexpectedEndOfNumber: 'a number is incomplete',
};

/** JSON text of a pipeline that is ready to run; always valid, unlike the text in an editor. */
export interface ParsedPipeline {
  readonly text: string;
  /** Stages of the pipeline, which are objects in a list. */
  readonly stages: readonly Node[];
}

/**
 * Parses a pipeline: a JSON list of stages, which can contain comments and trailing commas.
 * @throws QueryError with the position of the first error.
 */
export function parsePipeline(text: string): ParsedPipeline {
  const tree = parse(text);
  if (tree === undefined) {
    throw new QueryError(`The pipeline is empty. It is a list of stages, such as ${EXAMPLE}.`);
  }
  if (tree.type !== 'array') {
    const message = `A pipeline is a list of stages, such as ${EXAMPLE}.`;
    throw new QueryError(message, getNodeSpan(tree));
  }
  const stages = tree.children ?? [];
  stages.forEach((stage, index) => {
    if (stage.type !== 'object') {
      const message = `Stage ${index + 1} must be an object, such as { "$limit": 10 }.`;
      throw new QueryError(message, getNodeSpan(stage));
    }
    requireDistinctNames(stage);
  });
  return { text, stages };
}

/**
 * Returns the range of a path in a stage: the name of a member, an item of a list, or the whole
 * stage if the path is empty. If the path doesn't exist, uses its longest existing part.
 * @param stage index of the stage, starting at 0.
 */
export function findPipelineSpan(
  { stages }: ParsedPipeline,
  stage: number,
  path: readonly string[],
): TextSpan | undefined {
  const root = stages[stage];
  if (!root) return undefined;
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, segmentsIn(root, path.slice(0, length)));
    const name = node?.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
    if (node) return getNodeSpan(name ?? node);
  }
  return getNodeSpan(root);
}

export function getNodeSpan({ offset, length }: Node): TextSpan {
  return { start: offset, end: offset + length };
}

function parse(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const tree = parseWithin(text, errors);
  const [first] = errors;
  const code = first && printParseErrorCode(first.error);
  const isEmpty = tree === undefined && (code === undefined || code === 'ValueExpected');
  if (first && !isEmpty) {
    const { offset, length } = first;
    const reason = SYNTAX[code ?? ''] ?? "this can't be read";
    // For an error at the end of the text, marks the last character.
    const start = Math.min(offset, Math.max(0, text.trimEnd().length - 1));
    const range = { start, end: Math.max(start + 1, offset + length) };
    throw new QueryError(`The pipeline is not valid JSON: ${reason}.`, range);
  }
  return tree;
}

function parseWithin(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new QueryError('The pipeline is nested too deeply.', undefined, { cause });
    }
    throw cause;
  }
}

/** Rejects repeated names, because one of the members would be silently ignored. */
function requireDistinctNames(root: Node): void {
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const children = node.children ?? [];
    if (node.type === 'object') {
      const names = new Set<unknown>();
      for (const { children: [name] = [] } of children) {
        if (name && names.has(name.value)) {
          throw new QueryError(`${JSON.stringify(name.value)} appears twice.`, getNodeSpan(name));
        }
        names.add(name?.value);
      }
    }
    open.push(...children);
  }
}

/** Converts the list indexes in a path to numbers. */
function segmentsIn(root: Node, path: readonly string[]): (string | number)[] {
  const segments: (string | number)[] = [];
  for (const step of path) {
    const isList = findNodeAtLocation(root, segments)?.type === 'array';
    segments.push(isList ? Number(step) : step);
  }
  return segments;
}
