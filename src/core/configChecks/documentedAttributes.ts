import type { RegistryItem } from '../model/registryItem';

/** Attribute of a model, as documented on its module's page. */
export interface DocumentedAttribute {
  readonly name: string;
  /** Type as written, such as `int` or `string[]`; empty if the page doesn't document it. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Maximum number of lines to read from a page. Pages that document a module are shorter. */
const MAX_LINES = 10_000;
const MAX_LINE_LENGTH = 4_000;

const HEADING = /^ {0,3}(?<level>#{1,6}) +(?<title>\S.*)$/;
/** Character that a part of a model's name can contain. */
const NAME_CHARACTER = /[\w-]/;
const NAME = /^[A-Za-z_]\w*(?:\.\w+)*$/;
/** Column headings in an attribute table, without their formatting. */
const COLUMNS = {
  name: /^(?:name|attribute|key|field|parameter)s?$/i,
  type: /^(?:data ?)?types?$/i,
  required: /^(?:inclusion|required\??|required or optional)$/i,
  description: /^(?:description|meaning|what|notes?)$/i,
} as const;

/**
 * Returns a model's attributes that its module's page documents in Markdown tables, in order. The
 * page is the model's own, or the section of the module's page about the model.
 */
export function documentedAttributes(
  { markdown, models }: Pick<RegistryItem, 'markdown' | 'models'>,
  model: string,
): readonly DocumentedAttribute[] {
  const own = models.find((one) => one.model === model);
  if (!own) return [];
  const fromModel = attributesIn(linesOf(own.markdown));
  if (fromModel.length > 0) return fromModel;
  const lines = linesOf(markdown);
  const section = sectionAbout(lines, model);
  return attributesIn(section ?? (models.length === 1 ? lines : []));
}

function linesOf(markdown = ''): readonly string[] {
  return markdown.split(/\r\n|\r|\n/, MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH));
}

/** Returns the lines below the heading that contains the model, up to the next such heading. */
function sectionAbout(lines: readonly string[], model: string): readonly string[] | undefined {
  const levels = lines.map((line) => HEADING.exec(line)?.groups?.level?.length);
  const start = lines.findIndex(
    (line, index) => levels[index] !== undefined && mentions(line, model),
  );
  const level = levels[start];
  if (level === undefined) return undefined;
  const end = levels.findIndex((one, index) => index > start && one !== undefined && one <= level);
  return lines.slice(start + 1, end === -1 ? undefined : end);
}

/** Returns true if a line contains a model other than as a part of a longer name. */
function mentions(line: string, model: string): boolean {
  const parts = line.split(model);
  return parts.some(
    (before, index) =>
      index < parts.length - 1 &&
      !NAME_CHARACTER.test(before.at(-1) ?? '') &&
      !NAME_CHARACTER.test(parts[index + 1]?.at(0) ?? ''),
  );
}

function attributesIn(lines: readonly string[]): readonly DocumentedAttribute[] {
  const found = new Map<string, DocumentedAttribute>();
  let columns: Columns | undefined;
  for (const line of lines) {
    const cells = cellsOf(line);
    if (!cells) {
      columns = undefined;
    } else if (!columns) {
      columns = parseColumns(cells);
    } else {
      const attribute = parseAttribute(cells, columns);
      if (attribute && !found.has(attribute.name)) found.set(attribute.name, attribute);
    }
  }
  return [...found.values()];
}

/** Indexes of a table's columns; -1 for columns that it doesn't have. */
type Columns = Readonly<Record<keyof typeof COLUMNS, number>>;

function parseColumns(cells: readonly string[]): Columns | undefined {
  const indexOf = (pattern: RegExp): number => cells.findIndex((cell) => pattern.test(cell));
  const { name, type, required, description } = COLUMNS;
  const columns = {
    name: indexOf(name),
    type: indexOf(type),
    required: indexOf(required),
    description: indexOf(description),
  };
  // Tables of models and of methods have names too, but neither types nor required members.
  const isAboutAttributes =
    columns.type !== -1 ||
    columns.required !== -1 ||
    cells.some((cell) => /^attributes?$/i.test(cell));
  return columns.name !== -1 && isAboutAttributes ? columns : undefined;
}

function parseAttribute(
  cells: readonly string[],
  columns: Columns,
): DocumentedAttribute | undefined {
  const cell = (column: keyof Columns): string => cells[columns[column]] ?? '';
  // Some pages add a note to the name.
  const name = cell('name').replace(/ *\([^)]*\)$/, '');
  if (!NAME.test(name)) return undefined;
  return {
    name,
    type: cell('type'),
    isRequired: /^(?:required|yes|true|✅|✓)/i.test(cell('required')),
    description: cell('description'),
  };
}

/** Returns a row's cells without their formatting; undefined if a line isn't a row. */
function cellsOf(line: string): readonly string[] | undefined {
  const row = line.trim();
  if (!row.startsWith('|')) return undefined;
  const cells = row.slice(1).split(/(?<!\\)\|/);
  return cells.map((cell) => cell.replaceAll(/[`*]/g, '').replaceAll('\\|', '|').trim());
}
