//! The catalogues `c_RegimenFiscal` and `c_UsoCFDI` of CFDI 4.0, in the words of the authority.

use super::cfdi::{CfdiUse, TaxRegime};

const fn regime(code: &'static str, name: &'static str, natural: bool, legal: bool) -> TaxRegime {
    TaxRegime {
        code,
        name,
        natural,
        legal,
    }
}

pub(super) const REGIMES: &[TaxRegime] = &[
    regime("601", "General de Ley Personas Morales", false, true),
    regime(
        "603",
        "Personas Morales con Fines no Lucrativos",
        false,
        true,
    ),
    regime(
        "605",
        "Sueldos y Salarios e Ingresos Asimilados a Salarios",
        true,
        false,
    ),
    regime("606", "Arrendamiento", true, false),
    regime(
        "607",
        "Régimen de Enajenación o Adquisición de Bienes",
        true,
        false,
    ),
    regime("608", "Demás ingresos", true, false),
    regime(
        "610",
        "Residentes en el Extranjero sin Establecimiento Permanente en México",
        true,
        true,
    ),
    regime(
        "611",
        "Ingresos por Dividendos (socios y accionistas)",
        true,
        false,
    ),
    regime(
        "612",
        "Personas Físicas con Actividades Empresariales y Profesionales",
        true,
        false,
    ),
    regime("614", "Ingresos por intereses", true, false),
    regime(
        "615",
        "Régimen de los ingresos por obtención de premios",
        true,
        false,
    ),
    regime("616", "Sin obligaciones fiscales", true, false),
    regime(
        "620",
        "Sociedades Cooperativas de Producción que optan por diferir sus ingresos",
        false,
        true,
    ),
    regime("621", "Incorporación Fiscal", true, false),
    regime(
        "622",
        "Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras",
        false,
        true,
    ),
    regime("623", "Opcional para Grupos de Sociedades", false, true),
    regime("624", "Coordinados", false, true),
    regime(
        "625",
        "Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas",
        true,
        false,
    ),
    regime("626", "Régimen Simplificado de Confianza", true, true),
];

/// Those who buy for a business.
const BUSINESS: &[&str] = &[
    "601", "603", "606", "612", "620", "621", "622", "623", "624", "625", "626",
];
/// Returns and discounts reach those without obligations too.
const RETURNS: &[&str] = &[
    "601", "603", "606", "612", "616", "620", "621", "622", "623", "624", "625", "626",
];
/// Natural persons who may deduct what they spend on themselves.
const PERSONAL: &[&str] = &[
    "605", "606", "607", "608", "611", "612", "614", "615", "625",
];
const EVERY: &[&str] = &[
    "601", "603", "605", "606", "607", "608", "610", "611", "612", "614", "615", "616", "620",
    "621", "622", "623", "624", "625", "626",
];
const WAGES: &[&str] = &["605"];

const fn anybody(
    code: &'static str,
    name: &'static str,
    regimes: &'static [&'static str],
) -> CfdiUse {
    CfdiUse {
        code,
        name,
        natural: true,
        legal: true,
        regimes,
    }
}

const fn natural(
    code: &'static str,
    name: &'static str,
    regimes: &'static [&'static str],
) -> CfdiUse {
    CfdiUse {
        code,
        name,
        natural: true,
        legal: false,
        regimes,
    }
}

pub(super) const USES: &[CfdiUse] = &[
    anybody("G01", "Adquisición de mercancías", BUSINESS),
    anybody("G02", "Devoluciones, descuentos o bonificaciones", RETURNS),
    anybody("G03", "Gastos en general", BUSINESS),
    anybody("I01", "Construcciones", BUSINESS),
    anybody(
        "I02",
        "Mobiliario y equipo de oficina por inversiones",
        BUSINESS,
    ),
    anybody("I03", "Equipo de transporte", BUSINESS),
    anybody("I04", "Equipo de cómputo y accesorios", BUSINESS),
    anybody(
        "I05",
        "Dados, troqueles, moldes, matrices y herramental",
        BUSINESS,
    ),
    anybody("I06", "Comunicaciones telefónicas", BUSINESS),
    anybody("I07", "Comunicaciones satelitales", BUSINESS),
    anybody("I08", "Otra maquinaria y equipo", BUSINESS),
    natural(
        "D01",
        "Honorarios médicos, dentales y gastos hospitalarios",
        PERSONAL,
    ),
    natural(
        "D02",
        "Gastos médicos por incapacidad o discapacidad",
        PERSONAL,
    ),
    natural("D03", "Gastos funerales", PERSONAL),
    natural("D04", "Donativos", PERSONAL),
    natural(
        "D05",
        "Intereses reales efectivamente pagados por créditos hipotecarios (casa habitación)",
        PERSONAL,
    ),
    natural("D06", "Aportaciones voluntarias al SAR", PERSONAL),
    natural("D07", "Primas por seguros de gastos médicos", PERSONAL),
    natural(
        "D08",
        "Gastos de transportación escolar obligatoria",
        PERSONAL,
    ),
    natural(
        "D09",
        "Depósitos en cuentas para el ahorro, primas que tengan como base planes de pensiones",
        PERSONAL,
    ),
    natural(
        "D10",
        "Pagos por servicios educativos (colegiaturas)",
        PERSONAL,
    ),
    anybody("S01", "Sin efectos fiscales", EVERY),
    anybody("CP01", "Pagos", EVERY),
    natural("CN01", "Nómina", WAGES),
];
