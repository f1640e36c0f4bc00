//! Rows: those of prepared statements, with values in the types of their columns; and the first text of any row.
use super::{Broken, answer::Column, bytes::Bytes, kind};
use crate::session::Value;
use std::str;

/// Columns of a row that is read; no statement of ours has more.
const COLUMNS: usize = 32;
/// Bytes of `2026-11-22 03:40:00`, and of the longest that a server may send instead.
const DATE: usize = 32;

/// A row of a prepared statement.
#[derive(Debug, Clone, Copy)]
pub(in crate::mysql) struct Row<'a> {
    payload: &'a [u8],
    columns: &'a [Column],
}

impl<'a> Row<'a> {
    pub(in crate::mysql) fn of(payload: &'a [u8], columns: &'a [Column]) -> Row<'a> {
        Row { payload, columns }
    }
    /// Gives its values.
    #[inline]
    pub(in crate::mysql) fn each(self, take: &mut dyn FnMut(&[Value<'_>])) -> Result<(), Broken> {
        if self.columns.len() > COLUMNS {
            return Err(Broken("more columns than anything asked for"));
        }
        let mut bytes = Bytes(self.payload);
        bytes.u8()?;
        // Two bits of the map are not used.
        let nulls = bytes.take((self.columns.len() + 2).div_ceil(8))?;
        let mut dates = [[0; DATE]; COLUMNS];
        let mut dates = dates.iter_mut();
        let mut values = [Value::Null; COLUMNS];
        for (at, column) in self.columns.iter().enumerate() {
            let bit = at + 2;
            if nulls[bit / 8] >> (bit % 8) & 1 == 1 {
                continue;
            }
            values[at] = match column.kind {
                kind::DATE | kind::DATETIME | kind::TIMESTAMP => match dates.next() {
                    Some(room) => date(&mut bytes, column.kind == kind::DATE, room)?,
                    None => return Err(Broken("more dates than columns")),
                },
                _ => value(&mut bytes, *column)?,
            };
        }
        if !bytes.0.is_empty() {
            return Err(Broken("a row longer than its columns"));
        }
        take(&values[..self.columns.len()]);
        Ok(())
    }
}

fn value<'a>(bytes: &mut Bytes<'a>, column: Column) -> Result<Value<'a>, Broken> {
    let signed = !column.unsigned;
    Ok(match column.kind {
        kind::TINY if signed => Value::Int((bytes.u8()? as i8).into()),
        kind::TINY => Value::Int(bytes.u8()?.into()),
        kind::SHORT | kind::YEAR if signed => Value::Int((bytes.u16()? as i16).into()),
        kind::SHORT | kind::YEAR => Value::Int(bytes.u16()?.into()),
        kind::LONG | kind::INT24 if signed => Value::Int((bytes.u32()? as i32).into()),
        kind::LONG | kind::INT24 => Value::Int(bytes.u32()?.into()),
        kind::LONGLONG => {
            let number = bytes.u64()?;
            match i64::try_from(number) {
                Ok(number) => Value::Int(number),
                Err(_) if signed => Value::Int(number.cast_signed()),
                Err(_) => Value::Real(number as f64),
            }
        }
        kind::FLOAT => Value::Real(f32::from_bits(bytes.u32()?).into()),
        kind::DOUBLE => Value::Real(f64::from_bits(bytes.u64()?)),
        kind::DECIMAL | kind::NEWDECIMAL => {
            let number = text(bytes.string()?)?.parse();
            Value::Real(number.map_err(|_| Broken("a decimal that is none"))?)
        }
        kind::NULL => Value::Null,
        kind::TIME => return Err(Broken("a time of day, which nothing asks for")),
        _ => Value::Text(text(bytes.string()?)?),
    })
}

/// A date in the form in which a text would have it.
fn date<'a>(
    bytes: &mut Bytes<'_>,
    day_only: bool,
    room: &'a mut [u8; DATE],
) -> Result<Value<'a>, Broken> {
    let mut parts = Bytes(bytes.string()?);
    let mut numbers = [0; 6];
    if !parts.0.is_empty() {
        numbers[0] = parts.u16()?;
        for number in &mut numbers[1..3] {
            *number = parts.u8()?.into();
        }
    }
    if !parts.0.is_empty() {
        for number in &mut numbers[3..] {
            *number = parts.u8()?.into();
        }
    }
    // Parts of a second may follow; nobody asks for them.
    let mut length = 0;
    let count = if day_only { 3 } else { 6 };
    for (at, number) in numbers.into_iter().take(count).enumerate() {
        if at > 0 {
            room[length] = [b'-', b'-', b' ', b':', b':'][at - 1];
            length += 1;
        }
        let digits = if at == 0 { 4 } else { 2 };
        let mut rest = number;
        for digit in (0..digits).rev() {
            room[length + digit] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        length += digits;
    }
    Ok(Value::Text(text(&room[..length])?))
}

/// The text in a row's first column, whatever its type is said to be; nothing for NULL.
#[inline]
pub(in crate::mysql) fn first_text(payload: &[u8], binary: bool) -> Result<Option<&str>, Broken> {
    let mut bytes = Bytes(payload);
    if binary {
        bytes.u8()?;
        if bytes.u8()? & 0b100 != 0 {
            return Ok(None);
        }
    } else if bytes.0.first() == Some(&0xfb) {
        return Ok(None);
    }
    text(bytes.string()?).map(Some)
}

fn text(bytes: &[u8]) -> Result<&str, Broken> {
    str::from_utf8(bytes).map_err(|_| Broken("a text that is not UTF-8"))
}
