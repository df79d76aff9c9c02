export const es = {
  leaving: {
    intro: 'Llévate una copia de todo, o borra el negocio.',
    export: 'Llevarte tus datos',
    exportText:
      'Un archivo tar.gz con todo: agentes, catálogo, clientes, conversaciones, citas, pedidos, conocimiento y los archivos originales. Cada tabla va en líneas de JSON.',
    exportLeavesOut: 'No van las claves, los secretos ni las bases personales de otras personas.',
    exportNow: 'Descargar todo',
    exporting: (size: string) => `Recibido: ${size}`,
    exported: 'Tu copia está en las descargas',
    end: 'Borrar el negocio',
    endText: 'Se borra para siempre, con todo lo que tiene. Descarga antes una copia.',
    endOpen: 'Borrar este negocio',
    goes: 'Esto se va',
    goesNothing: 'Todavía no hay nada guardado: se va el negocio con su equipo, sus claves y sus ajustes.',
    endType: (name: string) => `Escribe «${name}» para confirmar`,
  },
};
