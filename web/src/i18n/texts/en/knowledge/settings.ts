import type { Widened } from '../../../widened';
import type { baseSettings as es } from '../../es/knowledge/settings';

const count = (value: number) => value.toLocaleString('en');
const documentsOf = (value: number) => (value === 1 ? '1 document' : `${count(value)} documents`);

export const baseSettings: Widened<typeof es> = {
  archived: 'Archived',
  archivedText: 'This base is archived: it is kept, but nobody searches or changes it.',
  archivedBases: 'Archived',
  about: 'What it is',
  language: 'Language',
  languageHelp: 'In which language its words are looked for.',
  languages: { es: 'Spanish', en: 'English' },
  chunking: 'How documents are cut',
  chunkingText: 'A chunk is what the agent finds and quotes. Beside this you see what they would be like.',
  strategy: 'Where it is cut',
  strategies: { fixed: 'Fixed size', paragraph: 'Paragraphs', semantic: 'By topic' },
  strategyHelp: {
    fixed: 'Stretches of one size that repeat a little of each other and end where a sentence ends.',
    paragraph: 'Whole paragraphs, as many as fit.',
    semantic: 'Where the topic changes, as the meaning of neighbouring sentences tells.',
  },
  unit: 'What is counted',
  units: { characters: 'Characters', tokens: 'Tokens' },
  sizes: {
    chunk_size: 'Size',
    chunk_overlap: 'What is repeated',
    max_chunk_size: 'Maximum',
    min_chunk_size: 'Minimum',
  },
  sizesHelp: {
    chunk_size: '50 to 8,000',
    chunk_overlap: 'Up to half of the size',
    max_chunk_size: 'No less than the size',
    min_chunk_size: 'What is shorter joins its neighbour',
  },
  separator: 'What separates paragraphs',
  separatorHelp: 'A regular expression. Blank lines when empty.',
  told: {
    include_title: 'The document’s title counts in searches',
    include_page_number: 'Tell the page it stands on',
    include_source_url: 'Tell the web page it comes from',
  },
  embedding: 'How meaning is found',
  embeddingText: 'A model turns each chunk into a vector, which is compared with that of the question.',
  provider: 'Who makes the vectors',
  providers: {
    builtin: 'Inside Quipu',
    openai: 'OpenAI',
    cohere: 'Cohere',
    custom: 'Another server',
  },
  providerHelp: {
    builtin: 'No key, no cost, nothing leaves this place.',
    openai: 'Uses the key openai_api_key of your secrets, or that of the installation.',
    cohere: 'Uses the key cohere_api_key of your secrets, or that of the installation.',
    custom:
      'One that speaks as OpenAI does: Ollama, vLLM, TEI. The key, if it wants one, is custom_embedding_api_key.',
  },
  model: 'Model',
  builtin: {
    'quipu-es-en/encoder': 'The one that reads in context (recommended)',
    'quipu-es-en/static': 'The quickest',
  },
  dimensions: 'Length of vectors',
  address: 'Address',
  addressHelp: 'Up to and including /v1.',
  batch: 'Chunks at once',
  batches: 'Requests at the same time',
  rerankText:
    'Whether a judge reads the best of each search again is decided for the whole installation; under “Try a search” you see it with and without.',
  changing: (from, to) => `Vectors of ${to} are being made. Meanwhile those of ${from} are searched.`,
  cutAgain: (documents) =>
    `Once saved, this counts for what is read from now on. ${
      documents === 1
        ? 'The document that is there stays'
        : `The ${documentsOf(documents)} that are there stay`
    } as before until read again, below.`,
  embedAgain: (chunks) =>
    `Once saved, new vectors are made for ${chunks === 1 ? '1 chunk' : `${count(chunks)} chunks`} in the background. Meanwhile those of before are searched.`,
  discard: 'Undo changes',
  againTitle: 'Read everything again',
  againText: 'So that the settings of now count for what was there already too.',
  saveFirst: 'Save the changes first: it is read with the settings that are saved.',
  readAll: (documents) => `Read ${documentsOf(documents)} again`,
  managed:
    'This base comes with its agent or with the business: it is neither archived nor deleted by itself.',
  ending: 'Put it away or delete it',
  endingText: 'Archived, nobody finds it and nothing is lost. Deleted, it does not come back.',
  archive: 'Archive',
  bringBack: 'Use it again',
  putAway: 'Base archived',
  broughtBack: 'The base is used again',
  deleteBase: 'Delete this base',
  deleteTitle: (name) => `Delete “${name}”?`,
  deleteText: (documents) =>
    documents === 0
      ? 'The base is empty. This cannot be undone.'
      : `It goes with ${documentsOf(documents)}, their originals, chunks and vectors. This cannot be undone.`,
  deleteType: (name) => `Write “${name}” to confirm`,
  toBases: 'Back to Knowledge',
  preview: {
    title: 'This is how it would be',
    text: 'Change the settings and see it at once. Nothing is kept or charged for.',
    source: 'What is cut',
    document: 'A document',
    typed: 'A text of yours',
    noDocuments: 'No document that was read is called so',
    sample:
      'Opening hours\n\nWe are open from Monday to Saturday, nine in the morning to seven in the evening. On Sundays we are closed. On holidays we open from ten to two.\n\nPrices\n\nAn eye test costs 45 soles and takes twenty minutes. Frames cost from 90 soles. Progressive lenses cost 390 soles and are ready in three days.\n\nWarranty\n\nFrames have a warranty of eighteen months against defects. It does not cover knocks or scratches. Bring your receipt.',
    sizes: {
      characters: (smallest, average, largest) =>
        `${count(smallest)} to ${count(largest)} characters, ${count(average)} on average`,
      tokens: (smallest, average, largest) =>
        `${count(smallest)} to ${count(largest)} tokens, ${count(average)} on average`,
    },
    partial: 'The document is very long: only its beginning was cut.',
    unstructured: 'The original could not be read again: pages and headings are missing here.',
    chunk: (number) => `Piece ${number}`,
    size: (characters, tokens) => `${count(characters)} char. · ${count(tokens)} tok.`,
    length: (name) => `Length of ${name}`,
    more: (value) => `and ${count(value)} more`,
  },
};
