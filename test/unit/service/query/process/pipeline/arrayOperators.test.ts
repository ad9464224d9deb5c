import { assertErrors, assertValues } from './expressionCases';

// Expected results follow MongoDB's manual.
describe('arrays in pipelines', () => {
  it('are read through the documents in them, and not by index', async () => {
    const document = {
      list: [{ b: 1 }, { b: 2, c: { d: 3 } }, 5, [{ b: 9 }]],
      values: [7, 8],
      time: new Date(0),
    };
    await assertValues(document, [
      ['$list.b', [1, 2]],
      ['$list.c.d', [3]],
      ['$values.0', []],
      ['$values.length', []],
      ['$time.getTime', undefined],
      [{ $size: '$values.0' }, 0],
      [{ $abs: { $first: '$list.b' } }, 1],
    ]);
  });

  it('contain null for missing values, unlike documents', async () => {
    await assertValues({ n: 1, list: [{ a: 1 }, {}] }, [
      [{ list: ['$none', '$n'] }, { list: [null, 1] }],
      [{ $concatArrays: [['$none'], ['$n']] }, [null, 1]],
      [{ $cond: [true, ['$none'], 0] }, [null]],
      [{ $map: { input: '$list', in: '$$this.a' } }, [1, null]],
      [{ $objectToArray: { a: '$none', b: '$n' } }, [{ k: 'b', v: 1 }]],
      [{ $mergeObjects: [{ a: 1 }, { a: '$none' }] }, { a: 1 }],
      [{ $ifNull: [{ a: '$none' }, 1] }, {}],
      [{ $in: [null, ['$none']] }, true],
      [{ $in: ['$none', [null]] }, false],
    ]);
  });

  it('are processed with variables, which inner operators can replace', async () => {
    const sum = {
      $reduce: { input: '$$this', initialValue: 0, in: { $add: ['$$value', '$$this'] } },
    };
    await assertValues({ lists: [[1, 2], [3], []], n: 10, f: { x: 1 } }, [
      [{ $map: { input: '$lists', in: sum } }, [3, 3, 0]],
      [{ $map: { input: '$lists', in: { $firstN: { n: 1, input: '$$this' } } } }, [[1], [3], []]],
      [{ $filter: { input: '$lists', as: 'l', cond: { $in: [3, '$$l'] } } }, [[3]]],
      [
        { $filter: { input: [1, 2, 3], cond: { $gt: ['$$this', 1] }, limit: { $size: [['']] } } },
        [2],
      ],
      [{ $filter: { input: [1, 2], cond: true, limit: null } }, [1, 2]],
      [{ $filter: { input: [NaN, '', 0], cond: '$$this' } }, [NaN, '']],
      [{ $reduce: { input: [1, 2], initialValue: '$n', in: { $add: ['$$value', '$n'] } } }, 30],
      [{ $reduce: { input: [1], initialValue: 0, in: { $getField: 'n' } } }, 10],
      [{ $reduce: { input: [1], initialValue: 0, in: '$$CURRENT.n' } }, 10],
      [{ $let: { vars: { n: 1 }, in: { $add: ['$$n', '$n'] } } }, 11],
      [{ $let: { vars: { a: '$f' }, in: '$$a.x' } }, 1],
      [{ $map: { input: '$none', in: 1 } }, null],
    ]);
    await assertErrors({ n: 1 }, [
      ['$$this.n', /undefined variable \$\$this/],
      [{ $let: { vars: { a: 1, b: '$$a' }, in: '$$b' } }, /undefined variable \$\$a/],
      [{ $filter: { input: [1], cond: true, limit: 0 } }, /limit must be a positive whole number/],
      [{ $filter: { input: [1] } }, /\$filter must have cond/],
      [{ $map: { input: [1], in: 1, at: 2 } }, /\$map must not have at/],
      [{ $map: { input: '$n', in: 1 } }, /\$map needs an array/],
      [{ $let: { vars: 5, in: 1 } }, /vars must be a document/],
    ]);
  });

  it('are searched by position and value', async () => {
    const document = { list: [1, 2, 1, { a: 1, b: 2 }] };
    await assertValues(document, [
      [{ $indexOfArray: ['$list', 1, 1] }, 2],
      [{ $indexOfArray: ['$list', 5, 2] }, -1],
      [{ $indexOfArray: ['$list', 1, 1, 2] }, -1],
      [{ $indexOfArray: ['$list', 1, 3, 1] }, -1],
      [{ $indexOfArray: ['$none', 1] }, null],
      [{ $in: [{ b: 2, a: 1 }, '$list'] }, false],
      [{ $in: [{ a: 1, b: 2 }, '$list'] }, true],
      [{ $arrayElemAt: ['$list', -3] }, 2],
      [{ $arrayElemAt: ['$list', 4] }, undefined],
      [{ $arrayElemAt: ['$list', -5] }, undefined],
      [{ $arrayElemAt: ['$none', 0] }, null],
      [{ $lastN: { n: 2, input: [1, 2, 3] } }, [2, 3]],
    ]);
    await assertErrors(document, [
      [{ $arrayElemAt: ['$list', 1.5] }, /whole numbers/],
      [{ $indexOfArray: ['$list', 1, -1] }, /position must not be negative/],
      [{ $firstN: { n: 0, input: '$list' } }, /n must be a positive whole number/],
      [{ $in: [1, '$none'] }, /\$in needs an array/],
    ]);
  });

  it('$range and $zip end with the last value, and with the shortest array', async () => {
    await assertValues({ a: [1, null], b: ['x'], none: [] }, [
      [{ $range: [0, 5, 2] }, [0, 2, 4]],
      [{ $range: [3, 0, -1] }, [3, 2, 1]],
      [{ $range: [0, 3, -1] }, []],
      [{ $zip: { inputs: ['$none', '$a'] } }, []],
      [{ $zip: { inputs: ['$a', '$b'] } }, [[1, 'x']]],
      [
        { $zip: { inputs: ['$a', '$b'], useLongestLength: true, defaults: [0, 'y'] } },
        [
          [1, 'x'],
          [null, 'y'],
        ],
      ],
      [{ $zip: { inputs: ['$a', '$missing'] } }, null],
    ]);
    await assertErrors({ a: [1] }, [
      [{ $range: [0, 5, 0] }, /step of \$range must not be 0/],
      [{ $range: [0, 2_000_000_000] }, /array would be too large/],
      [{ $range: [0, 1e12] }, /at most 32 bits/],
      [{ $zip: { inputs: ['$a'], defaults: [0] } }, /defaults need useLongestLength/],
      [{ $zip: { inputs: [5] } }, /\$zip needs an array/],
    ]);
  });

  it('are sets without duplicates, with null as an element', async () => {
    await assertValues({ list: [1, 1, null, [2]], same: [{ a: 1, b: 2 }] }, [
      [{ $setIntersection: ['$list'] }, [1, null, [2]]],
      [{ $setIntersection: ['$list', [[2], 1]] }, [1, [2]]],
      [{ $setUnion: ['$list', [3, 1]] }, [1, null, [2], 3]],
      [{ $setDifference: ['$list', [null]] }, [1, [2]]],
      [{ $setDifference: ['$list', '$none'] }, null],
      [
        {
          $setEquals: [
            [1, 2, 1],
            [2, 1],
          ],
        },
        true,
      ],
      [{ $setEquals: ['$same', [{ b: 2, a: 1 }]] }, false],
      [{ $setIsSubset: [[null], '$list'] }, true],
    ]);
    await assertErrors({ list: [1] }, [
      [{ $setIsSubset: ['$list', '$none'] }, /\$setIsSubset needs an array/],
      [{ $setEquals: ['$list'] }, /\$setEquals needs 2 to/],
      [{ $setUnion: ['$list', 5] }, /\$setUnion needs an array/],
    ]);
  });
});

describe('embedded documents in pipelines', () => {
  it('are converted from and to arrays', async () => {
    await assertValues(
      {
        pairs: [
          ['a', [1, 2]],
          ['b', 3],
          ['a', 4],
        ],
      },
      [
        [{ $arrayToObject: '$pairs' }, { a: 4, b: 3 }],
        [{ $arrayToObject: [[['a', [1, 2]]]] }, { a: [1, 2] }],
        [{ $arrayToObject: [[{ k: 'x', v: null }]] }, { x: null }],
        [{ $arrayToObject: '$none' }, null],
      ],
    );
    await assertErrors({}, [
      [{ $arrayToObject: [[['a', 1], { k: 'b', v: 2 }]] }, /either arrays or documents/],
      [{ $arrayToObject: [[['a', 1, 2]]] }, /needs arrays \[name, value\]/],
      [{ $arrayToObject: [[{ k: 'a', v: 1, w: 2 }]] }, /needs arrays \[name, value\]/],
      [{ $arrayToObject: [[[1, 2]]] }, /name must be a string/],
      [{ $objectToArray: 'text' }, /\$objectToArray needs documents/],
    ]);
  });

  it('are merged and changed only if they are documents', async () => {
    await assertValues({ o: { a: 1, b: 2 }, nothing: null }, [
      [{ $mergeObjects: ['$o', null, '$none', { b: 3 }] }, { a: 1, b: 3 }],
      [{ $setField: { field: 'a', input: '$o', value: '$none' } }, { b: 2 }],
      [{ $setField: { field: 'a.b', input: '$o', value: 1 } }, { a: 1, b: 2, 'a.b': 1 }],
      [{ $unsetField: { field: 'b', input: '$o' } }, { a: 1 }],
      [{ $unsetField: { field: 'b', input: '$none' } }, null],
      [{ $getField: { field: 'a', input: '$nothing' } }, null],
      [{ $getField: { field: 'a', input: '$none' } }, undefined],
    ]);
    await assertErrors({ list: [{ a: 1 }], text: 'ab' }, [
      [{ $mergeObjects: '$text' }, /\$mergeObjects needs documents/],
      [{ $mergeObjects: ['$list'] }, /\$mergeObjects needs documents/],
      [{ $setField: { field: 'a', input: '$text', value: 1 } }, /\$setField needs documents/],
    ]);
  });
});

describe('expressions in pipelines', () => {
  it('are rejected if an operand is missing, unknown, or not a path', async () => {
    await assertErrors({ n: 1, list: [1], time: new Date(0) }, [
      [{ $switch: { branches: [{ case: true }] } }, /must have case and then/],
      [{ $switch: { branches: [{ then: 1 }], default: 3 } }, /must have case and then/],
      [{ $maxN: '$n' }, /\$maxN must have n, input/],
      [{ $minN: { input: '$list' } }, /\$minN must have n/],
      [{ $replaceOne: { input: 'a', find: 'b' } }, /\$replaceOne must have replacement/],
      [{ $dateDiff: { startDate: '$time' } }, /\$dateDiff must have endDate/],
      [{ $dateAdd: { startDate: '$time', unit: 'day' } }, /\$dateAdd must have amount/],
      [{ $dateTrunc: { date: '$time', unit: 'day', bins: 2 } }, /\$dateTrunc must not have bins/],
      [{ $year: ['$time', '$time'] }, /\$year needs 1 operand$/],
      [{ $map: { input: '$list', as: 'Item', in: 1 } }, /"Item" is not the name of a variable/],
      [{ $let: { vars: { ROOT: 1 }, in: 1 } }, /"ROOT" is not the name of a variable/],
      [{ $toHashedIndexKey: '$n' }, /unknown expression operator \$toHashedIndexKey/],
      ['$', /"\$" is not the path of a field/],
      ['$n.', /"\$n\." is not the path of a field/],
      [{ $abs: '$n.$x' }, /is not the path of a field/],
    ]);
    await assertValues({ text: 'a-b-c$' }, [
      [{ $literal: '$' }, '$'],
      [{ $replaceOne: { input: '$text', find: '-', replacement: { $literal: '$&' } } }, 'a$&b-c$'],
      [{ $replaceAll: { input: '$text', find: '-', replacement: '' } }, 'abc$'],
      [{ $sigmoid: 1 }, 0.731_058_578_630_004_9],
      [{ $sigmoid: { input: '$none', onNull: 5 } }, 5],
    ]);
  });
});

describe('conditional operators in pipelines', () => {
  it('treat NaN and empty text as true', async () => {
    await assertValues({ n: NaN, text: '', zero: 0, nothing: null }, [
      [{ $cond: ['$n', 1, 2] }, 1],
      [{ $cond: { if: '$text', then: 1, else: 2 } }, 1],
      [{ $and: ['$n', '$text'] }, true],
      [{ $or: ['$zero', '$nothing', '$none'] }, false],
      [{ $or: '$text' }, true],
      [{ $and: [] }, true],
      [{ $or: [] }, false],
      [{ $ifNull: ['$none', '$nothing', '$zero', 5] }, 0],
      [{ $ifNull: ['$nothing', '$none'] }, undefined],
    ]);
    await assertErrors({}, [
      [{ $cond: { if: true, then: 1 } }, /\$cond must have else/],
      [{ $cond: [true, 1] }, /\$cond needs three operands/],
      [{ $ifNull: ['$n'] }, /\$ifNull needs at least two operands/],
    ]);
  });
});

describe('patterns and spaces of text in pipelines', () => {
  it('find every match at its position', async () => {
    const find = (input: string, regex: unknown): object => ({ $regexFindAll: { input, regex } });
    const match = (text: string, idx: number, ...captures: unknown[]): object => ({
      match: text,
      idx,
      captures,
    });
    await assertValues({ n: null }, [
      [find('abc abc abc', 'b'), [match('b', 1), match('b', 5), match('b', 9)]],
      [find('aaa', '^a'), [match('a', 0)]],
      [find('ab', 'x*'), [match('', 0), match('', 1), match('', 2)]],
      [find('ab', '(x*)(y)?b'), [match('b', 1, '', null)]],
      [{ $regexMatch: { input: 'a', regex: '$none' } }, false],
      [{ $regexMatch: { input: '$n', regex: 'a' } }, false],
      [{ $regexMatch: { input: 'A', regex: 'a', options: 'i' } }, true],
      [{ $regexFind: { input: 'a', regex: null } }, null],
    ]);
    await assertErrors({ n: 5 }, [
      [{ $regexMatch: { input: '$n', regex: '5' } }, /\$regexMatch needs text/],
      [{ $regexMatch: { input: 'a', regex: /a/i, options: 'm' } }, /either in regex or in options/],
      [{ $regexMatch: { input: 'a', regex: 'a', options: 'g' } }, /only the letters i, m, and s/],
      [{ $regexMatch: { input: 'a' } }, /must have regex/],
    ]);
  });

  it('$trim removes code points, and returns null for null', async () => {
    await assertValues({ text: '\0\t\u00a0 ab \u2003', n: null }, [
      [{ $trim: { input: '$text' } }, 'ab'],
      [{ $ltrim: { input: '$text' } }, 'ab \u2003'],
      [{ $rtrim: { input: '12aba', chars: 'ab' } }, '12'],
      [{ $trim: { input: '😀x😁', chars: '😀' } }, 'x😁'],
      [{ $trim: { input: 'a', chars: '$none' } }, null],
      [{ $trim: { input: '$n' } }, null],
    ]);
    await assertErrors({}, [[{ $trim: { input: 5 } }, /\$trim needs text/]]);
  });
});
