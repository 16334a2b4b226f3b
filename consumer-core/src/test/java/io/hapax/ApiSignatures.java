package io.hapax;

import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;

/** Which types a user meets who reads only the public and protected signatures. */
final class ApiSignatures {
  private ApiSignatures() {}

  static ArchCondition<JavaClass> nameOnly(DescribedPredicate<JavaClass> allowed) {
    return new ArchCondition<>("name only " + allowed.getDescription() + " in public signatures") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (!isPublic(type)) {
          return;
        }
        report(type.getFullName(), ofType(type), allowed, events);
        Stream.of(type.getMethods(), type.getConstructors(), type.getFields())
            .flatMap(Collection::stream)
            .filter(member -> isVisible(member.getModifiers()))
            .forEach(member -> report(member.getFullName(), ofMember(member), allowed, events));
      }
    };
  }

  private static void report(
      String where,
      Stream<JavaClass> named,
      DescribedPredicate<JavaClass> allowed,
      ConditionEvents events) {
    named
        .map(JavaClass::getBaseComponentType)
        .filter(type -> !type.isPrimitive() && !allowed.test(type))
        .distinct()
        .map(type -> where + " names " + type.getFullName())
        .forEach(message -> events.add(SimpleConditionEvent.violated(where, message)));
  }

  private static Stream<JavaClass> ofType(JavaClass type) {
    Stream<JavaType> parents =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
    return Stream.of(
            rawTypes(parents),
            rawTypes(type.getTypeParameters().stream()),
            types(type.getAnnotations()))
        .flatMap(s -> s);
  }

  private static Stream<JavaClass> ofMember(JavaMember member) {
    Stream<JavaClass> signature =
        Stream.concat(member.getAllInvolvedRawTypes().stream(), types(member.getAnnotations()));
    return member instanceof JavaCodeUnit code
        ? Stream.of(
                signature,
                code.getThrowsClause().getTypes().stream(),
                rawTypes(code.getTypeParameters().stream()))
            .flatMap(s -> s)
        : signature;
  }

  private static Stream<JavaClass> rawTypes(Stream<? extends JavaType> types) {
    return types.flatMap(type -> type.getAllInvolvedRawTypes().stream());
  }

  private static Stream<JavaClass> types(Set<? extends JavaAnnotation<?>> annotations) {
    return annotations.stream().map(JavaAnnotation::getRawType);
  }

  private static boolean isPublic(JavaClass type) {
    return isVisible(type.getModifiers())
        && type.getEnclosingClass().map(ApiSignatures::isPublic).orElse(true);
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(PUBLIC) || modifiers.contains(PROTECTED);
  }
}
