const count = (value: number) => value.toLocaleString('es');
const documentsOf = (value: number) => (value === 1 ? '1 documento' : `${count(value)} documentos`);

export const baseSettings = {
  archived: 'Archivada',
  archivedText: 'Esta base está archivada: se conserva, pero nadie la busca ni la cambia.',
  archivedBases: 'Archivadas',
  about: 'Qué es',
  language: 'Idioma',
  languageHelp: 'En qué idioma se buscan sus palabras.',
  languages: { es: 'Español', en: 'Inglés' },
  chunking: 'Cómo se cortan los documentos',
  chunkingText: 'Un fragmento es lo que el agente encuentra y cita. A un lado ves cómo quedarían.',
  strategy: 'Dónde se corta',
  strategies: { fixed: 'Tamaño fijo', paragraph: 'Párrafos', semantic: 'Por tema' },
  strategyHelp: {
    fixed: 'Tramos de un tamaño que se repiten un poco entre sí y acaban donde acaba una frase.',
    paragraph: 'Párrafos enteros, tantos como quepan.',
    semantic: 'Donde cambia el tema, según el sentido de las frases vecinas.',
  },
  unit: 'Qué se cuenta',
  units: { characters: 'Caracteres', tokens: 'Tokens' },
  sizes: {
    chunk_size: 'Tamaño',
    chunk_overlap: 'Lo que se repite',
    max_chunk_size: 'Máximo',
    min_chunk_size: 'Mínimo',
  },
  sizesHelp: {
    chunk_size: 'De 50 a 8000',
    chunk_overlap: 'Hasta la mitad del tamaño',
    max_chunk_size: 'No menos que el tamaño',
    min_chunk_size: 'Lo más corto se une a lo vecino',
  },
  separator: 'Qué separa los párrafos',
  separatorHelp: 'Una expresión regular. Vacío, las líneas en blanco.',
  told: {
    include_title: 'El título del documento cuenta al buscar',
    include_page_number: 'Decir en qué página está',
    include_source_url: 'Decir de qué página web viene',
  },
  embedding: 'Cómo se encuentra el sentido',
  embeddingText: 'Un modelo convierte cada fragmento en un vector; se compara con el de la pregunta.',
  provider: 'Quién hace los vectores',
  providers: {
    builtin: 'Incluido en Quipu',
    openai: 'OpenAI',
    cohere: 'Cohere',
    custom: 'Otro servidor',
  },
  providerHelp: {
    builtin: 'Sin clave, sin costo, nada sale de aquí.',
    openai: 'Usa la clave openai_api_key de tus secretos, o la de la instalación.',
    cohere: 'Usa la clave cohere_api_key de tus secretos, o la de la instalación.',
    custom:
      'Uno que hable como OpenAI: Ollama, vLLM, TEI. La clave, si la pide, es custom_embedding_api_key.',
  },
  model: 'Modelo',
  builtin: {
    'quipu-es-en/encoder': 'El que lee en contexto (recomendado)',
    'quipu-es-en/static': 'El más rápido',
  },
  dimensions: 'Largo de los vectores',
  address: 'Dirección',
  addressHelp: 'Hasta /v1 inclusive.',
  batch: 'Fragmentos por envío',
  batches: 'Envíos a la vez',
  rerankText:
    'Si un juez relee lo mejor de cada búsqueda se decide para toda la instalación; en «Probar búsqueda» puedes verlo con y sin él.',
  changing: (from: string, to: string) =>
    `Se están haciendo los vectores de ${to}. Mientras, se busca con los de ${from}.`,
  cutAgain: (documents: number) =>
    `Al guardar, esto vale para lo que se lea desde ahora. ${
      documents === 1 ? 'El documento que ya está sigue' : `Los ${documentsOf(documents)} que ya están siguen`
    } como antes hasta que los leas de nuevo, abajo.`,
  embedAgain: (chunks: number) =>
    `Al guardar, se hacen vectores nuevos de ${chunks === 1 ? '1 fragmento' : `${count(chunks)} fragmentos`} en segundo plano. Mientras, se busca con los de antes.`,
  discard: 'Deshacer cambios',
  againTitle: 'Leer todo de nuevo',
  againText: 'Para que los ajustes de ahora valgan también para lo que ya estaba.',
  saveFirst: 'Guarda antes los cambios: se lee con los ajustes guardados.',
  readAll: (documents: number) => `Leer de nuevo ${documentsOf(documents)}`,
  managed: 'Esta base viene con su agente o con el negocio: no se archiva ni se borra por separado.',
  ending: 'Guardarla o borrarla',
  endingText: 'Archivada, nadie la encuentra y no se pierde nada. Borrada, no vuelve.',
  archive: 'Archivar',
  bringBack: 'Volver a usarla',
  putAway: 'Base archivada',
  broughtBack: 'La base se usa de nuevo',
  deleteBase: 'Borrar esta base',
  deleteTitle: (name: string) => `¿Borrar «${name}»?`,
  deleteText: (documents: number) =>
    documents === 0
      ? 'La base está vacía. No se puede deshacer.'
      : `Desaparece con ${documentsOf(documents)}, sus originales, fragmentos y vectores. No se puede deshacer.`,
  deleteType: (name: string) => `Escribe «${name}» para confirmar`,
  toBases: 'Volver a Conocimiento',
  preview: {
    title: 'Así quedaría',
    text: 'Cambia los ajustes y míralo al momento. Nada se guarda ni se cobra.',
    source: 'Qué se corta',
    document: 'Un documento',
    typed: 'Un texto tuyo',
    noDocuments: 'Ningún documento leído se llama así',
    sample:
      'Horario\n\nAtendemos de lunes a sábado de nueve de la mañana a siete de la noche. Los domingos cerramos. En feriados abrimos de diez a dos.\n\nPrecios\n\nEl examen de la vista cuesta 45 soles y dura veinte minutos. Las monturas cuestan desde 90 soles. Los lentes progresivos cuestan 390 soles y se entregan en tres días.\n\nGarantía\n\nLas monturas tienen garantía de dieciocho meses contra defectos de fábrica. No cubre golpes ni rayones. Trae tu boleta.',
    sizes: {
      characters: (smallest: number, average: number, largest: number) =>
        `de ${count(smallest)} a ${count(largest)} caracteres, ${count(average)} de media`,
      tokens: (smallest: number, average: number, largest: number) =>
        `de ${count(smallest)} a ${count(largest)} tokens, ${count(average)} de media`,
    },
    partial: 'El documento es muy largo: se cortó solo el principio.',
    unstructured: 'No se pudo releer el original: aquí faltan páginas y títulos.',
    chunk: (number: number) => `Trozo ${number}`,
    size: (characters: number, tokens: number) => `${count(characters)} car. · ${count(tokens)} tok.`,
    length: (name: string) => `Largo de ${name}`,
    more: (value: number) => `y ${count(value)} más`,
  },
};
