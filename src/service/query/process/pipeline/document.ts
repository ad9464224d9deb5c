/**
 * Document that is passed between stages. Stages never modify their input, because other code might
 * have references to it.
 */
export type Document = Record<string, unknown>;

/**
 * Stream of document batches with back pressure. More batches are produced only after the previous
 * ones have been consumed.
 */
export type Batches = AsyncIterable<readonly Document[]>;

/** Number of documents per batch. */
const BATCH_SIZE = 1000;

/** Returns true if a value is an embedded document: not an array, a date, or another BSON value. */
export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns true for null and missing values, which are equal in most of MongoDB's comparisons. */
export function isNullish(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Returns true if a name in a path can be the index of an array element. */
export function isArrayIndex(name: string): boolean {
  return /^\d+$/u.test(name);
}

/**
 * Collects all documents, for stages that need the last input document before they return the first
 * result.
 */
export async function collect(input: Batches): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const batch of input) {
    for (const document of batch) {
      documents.push(document);
    }
  }
  return documents;
}

/** Splits documents into batches. */
export function* inBatches(documents: Iterable<Document>): Generator<readonly Document[], void> {
  let batch: Document[] = [];
  for (const document of documents) {
    batch.push(document);
    if (batch.length === BATCH_SIZE) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/**
 * Returns the value at a path that passes only through embedded documents; undefined if there is no
 * value.
 */
export function valueAt(document: Document, path: readonly string[]): unknown {
  let value: unknown = document;
  for (const name of path) {
    if (!isDocument(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * Returns a copy of the document with a different value at a path. The value undefined removes the
 * field.
 */
export function withValueAt(document: Document, path: readonly string[], value: unknown): Document {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const inner = document[name];
    const changed = withValueAt(isDocument(inner) ? inner : {}, rest, value);
    return { ...document, [name]: changed };
  }
  if (value === undefined) {
    return Object.fromEntries(Object.entries(document).filter(([key]) => key !== name));
  }
  return { ...document, [name]: value };
}

/** Returns all values at a path, including values within elements of arrays along the path. */
export function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  if (Array.isArray(value)) {
    const element = isArrayIndex(name) ? valuesAt((value as unknown[])[Number(name)], rest) : [];
    return [...element, ...value.filter(isDocument).flatMap((item) => valuesAt(item, path))];
  }
  return isDocument(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}

/**
 * Field specifications by path. `{a: …, 'b.c': …}` is equivalent to the nested form `{a: …, b: {c:
 * …}}`.
 */
export type FieldTree<Leaf> = ReadonlyMap<string, FieldTree<Leaf> | { leaf: Leaf }>;

type Growing<Leaf> = Map<string, Growing<Leaf> | { leaf: Leaf }>;

/**
 * Parses a specification to a tree. Embedded documents whose first field name doesn't start with a
 * dollar sign are parts of paths. `toLeaf` converts all other values to leaves.
 * @throws Error with a message for the user if a path is invalid or conflicts with another.
 */
export function fieldTree<Leaf>(
  specification: Document,
  toLeaf: (value: unknown, path: string) => Leaf,
): FieldTree<Leaf> {
  const tree: Growing<Leaf> = new Map();
  const add = (prefix: readonly string[], value: unknown): void => {
    if (isDocument(value) && isNestedPath(value)) {
      for (const [name, member] of Object.entries(value)) {
        add([...prefix, ...parseFieldPath(name)], member);
      }
      return;
    }
    plant(tree, prefix, toLeaf(value, prefix.join('.')));
  };
  for (const [name, value] of Object.entries(specification)) {
    add(parseFieldPath(name), value);
  }
  return tree;
}

/**
 * Splits a path such as `data.readings.temperature` into names.
 * @throws Error with a message for the user if the path is invalid.
 */
export function parseFieldPath(text: string): string[] {
  const names = text.split('.');
  if (names.includes('') || names.some((name) => name.startsWith('$'))) {
    throw new Error(
      `"${text}" is not the name of a field: names between dots are not empty and do not begin with $`,
    );
  }
  return names;
}

function isNestedPath(value: Document): boolean {
  const [first] = Object.keys(value);
  return first !== undefined && !first.startsWith('$');
}

function plant<Leaf>(tree: Growing<Leaf>, path: readonly string[], leaf: Leaf): void {
  const [name = '', ...rest] = path;
  const there = tree.get(name);
  if (rest.length === 0 && there === undefined) {
    tree.set(name, { leaf });
  } else if (rest.length > 0 && (there === undefined || there instanceof Map)) {
    const branch = there ?? new Map<string, Growing<Leaf> | { leaf: Leaf }>();
    tree.set(name, branch);
    plant(branch, rest, leaf);
  } else {
    throw new Error(`${path.join('.')} is named twice, or together with one of its fields`);
  }
}
