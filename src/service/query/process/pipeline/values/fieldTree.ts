import { isDocument, type Document } from './document';

/**
 * Field specifications by path. `{a: …, 'b.c': …}` is equivalent to the nested form `{a: …, b: {c:
 * …}}`.
 */
export type FieldTree<Leaf> = ReadonlyMap<string, FieldTree<Leaf> | { leaf: Leaf }>;

type Growing<Leaf> = Map<string, Growing<Leaf> | { leaf: Leaf }>;

/**
 * Parses a specification to a tree. Embedded documents whose first name doesn't start with a dollar
 * sign are parts of paths. `leafOf` converts all other values to leaves.
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
